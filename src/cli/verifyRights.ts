import { stat } from 'node:fs/promises';
import { ifThere } from '#infra/storage/files/places.ts';
import { areRightsSigned } from '#infra/vault/credentials/signCredentials.ts';
import { verifyCredentials } from '#infra/verification/verifyCredentials.ts';
import type { Finding } from '#src/cli/finding.ts';
import type { Composition } from '#src/main/compose.ts';
import { signedRightsFile } from '#src/main/signRights.ts';
import { IntegrityError } from '#ports/vault.ts';
import { readSignedSubjects } from '#src/signedSubjects.ts';
import { readSigned } from '#src/signedStreams.ts';

/** Undefined: nothing is signed yet, as in a backup of before; the next start signs it. */
export async function credentials(composition: Composition): Promise<Finding | undefined> {
  const { pools, rightsKey } = composition;
  const isSigned = await areRightsSigned(pools.owner);
  if (!isSigned && !(await wasSigned(composition))) return undefined;
  const verified = await verifyCredentials(pools.owner, await rightsKey());
  const lost = isSigned ? [] : ['the note that rights are signed was removed from vault.signed_rights'];
  return { what: `${verified.credentials} credentials`, faults: [...lost, ...verified.faults] };
}

/** Of the event log: what views have of them is looked at with the views. */
export async function rights(composition: Composition): Promise<Finding | undefined> {
  const isSigned = (await areRightsSigned(composition.pools.owner)) || (await wasSigned(composition));
  if (!isSigned) return undefined;
  const faults: string[] = [];
  const subjects = await readSignedSubjects(composition);
  for (const { stream, kind } of subjects) {
    try {
      await readSigned(composition, stream, kind.fold);
    } catch (error) {
      if (!(error instanceof IntegrityError)) throw error;
      faults.push(`stream ${stream}: its rights are not those that were given`);
    }
  }
  return { what: `rights of ${subjects.length} streams as they were given`, faults };
}

const wasSigned = async ({ config }: Composition): Promise<boolean> =>
  (await ifThere(stat(signedRightsFile(config)))) !== undefined;
