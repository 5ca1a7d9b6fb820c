import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { signRights } from '#commands/rights/sign.ts';
import { systemContext } from '#commands/systemContext.ts';
import { writeAtomically } from '#infra/files/writeAtomically.ts';
import {
  areRightsSigned,
  countUnsigned,
  noteRightsSigned,
  signCredentials,
} from '#infra/vault/credentials/signCredentials.ts';
import type { Config } from '#src/config.ts';
import { errno } from '#src/errno.ts';
import { auditAnchorsIn } from '#src/main/compose.ts';
import type { Composition } from '#src/main/compose.ts';
import { readSignedSubjects } from '#src/signedSubjects.ts';
import type { SignedSubject } from '#src/signedSubjects.ts';

const actor = { type: 'system', id: 'upgrade' } as const;
const atOnce = 8;
/** Names the lock of those who sign; of no meaning otherwise. */
const lock = 9_100_047;

/** Says beside the database, where the heads of the audit log are, that all rights were signed. */
export const signedRightsFile = (config: Config): string => join(auditAnchorsIn(config), 'rights-signed');

/**
 * Signs, once, the rights and credentials of before there were signatures, as they are. The database says that it was
 * done, and so does a file beside it: who can write to the database cannot have it done again where the file is.
 */
export async function signRightsOnce(composition: Composition): Promise<void> {
  const { config, pools, logger } = composition;
  const file = signedRightsFile(config);
  if (!(await areRightsSigned(pools.owner))) {
    const client = await pools.owner.connect();
    try {
      await client.query('select pg_advisory_lock($1)', [lock]);
      if (!(await areRightsSigned(client)) && !(await signAll(composition, file))) {
        logger.error(
          { file },
          'rights without a signature are refused: the file says that all were signed before; ' +
            'remove it if the database is one of before that',
        );
        return;
      }
    } finally {
      await client.query('select pg_advisory_unlock($1)', [lock]);
      client.release();
    }
  }
  if (await isThere(file)) return;
  await writeAtomically(file, 'All rights and credentials are signed.\n');
}

/** Whether all is signed. */
async function signAll(composition: Composition, file: string): Promise<boolean> {
  const { pools, rightsKey, logger } = composition;
  const subjects = await unsigned(composition);
  const credentials = await countUnsigned(pools.owner);
  if (subjects.length + credentials > 0) {
    if (await isThere(file)) return false;
    await recordSigning(composition, `${subjects.length} streams, ${credentials} credentials`);
    for (let first = 0; first < subjects.length; first += atOnce) {
      await Promise.all(
        subjects
          .slice(first, first + atOnce)
          .map((subject) =>
            signRights(composition, systemContext(subject.tenantId, actor), subject.kind, subject),
          ),
      );
    }
    await signCredentials(pools.owner, await rightsKey());
    logger.info({ streams: subjects.length, credentials }, 'rights and credentials were signed');
  }
  await noteRightsSigned(pools.owner);
  return true;
}

/** What is there, and whose last event has no signature. */
async function unsigned(composition: Composition): Promise<SignedSubject[]> {
  const { log } = composition;
  const found: SignedSubject[] = [];
  for (const subject of await readSignedSubjects(composition)) {
    const last = (await log.readStream(subject.stream)).at(-1);
    if (last !== undefined && last.metadata.mac === undefined) found.push(subject);
  }
  return found;
}

/** Each stream has an entry of its own, by its event; credentials have no events. */
const recordSigning = ({ audit, clock }: Composition, detail: string): Promise<void> =>
  audit.record([
    {
      occurredAt: clock.now(),
      tenantId: undefined,
      actor,
      keyId: '',
      operation: 'sign',
      entityType: 'key',
      entityId: '',
      outcome: 'succeeded',
      status: 0,
      detail,
      address: '',
      traceId: '',
    },
  ]);

async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (errno(error) === 'ENOENT') return false;
    throw error;
  }
}
