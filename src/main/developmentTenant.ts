import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFullApplication } from '#commands/application/create.ts';
import { grantEveryPermission } from '#commands/application/grantEveryPermission.ts';
import { createTenant } from '#commands/tenant/create.ts';
import type { ApplicationType } from '#domain/application/events.ts';
import { foldStream } from '#domain/fold.ts';
import { tenantStream } from '#domain/tenant/events.ts';
import { tenantFold } from '#domain/tenant/state.ts';
import { writeAtomically } from '#infra/files/writeAtomically.ts';
import { findTenantNamed } from '#infra/postgres/findTenantNamed.ts';
import type { Composition } from '#src/main/compose.ts';
import { systemContext } from '#commands/systemContext.ts';
import { IntegrityError } from '#ports/vault.ts';
import { derivedId, randomId } from '#src/identifiers.ts';
import { NotFound } from '#src/errors.ts';
import { StartupError } from '#src/startupError.ts';
import { errno } from '#src/errno.ts';

export type DevelopmentCredentials = { tenant_id: string } & Record<ApplicationType, string>;

/** Its keys, by this start or one before; or only its id, where they were given out from somewhere else. */
export type DevelopmentTenant =
  | { keys: 'made' | 'kept'; credentials: DevelopmentCredentials; file: string }
  | { keys: 'elsewhere'; tenantId: string; file: string };

const name = 'dev';
const types: readonly ApplicationType[] = ['management', 'private', 'public'];
const actor = { type: 'system', id: 'development' } as const;

/**
 * Makes the tenant `dev` with an application of each type, and keeps their keys in the data directory. The keys
 * are written down first and every command has a derived id: a start that was cut short is completed by the
 * next. A tenant of this name whose keys are not in the file came with a backup, or somebody else made it: its keys may
 * be in use, and stay.
 * @throws StartupError when the file cannot be read
 */
export async function ensureDevelopmentTenant(composition: Composition): Promise<DevelopmentTenant> {
  const file = join(composition.config.dataDirectory, 'dev-credentials.json');
  const kept = await readCredentials(file);
  // Whoever deleted the tenant gets another one: without keys nothing can be tried.
  if (kept !== undefined && !(await isDeleted(composition, kept.tenant_id))) {
    await ensureApplications(composition, kept);
    return { keys: 'kept', credentials: kept, file };
  }
  const tenantId = await findTenantNamed(composition.pools.owner, name);
  if (tenantId !== undefined && !(await isDeleted(composition, tenantId))) {
    return { keys: 'elsewhere', tenantId, file };
  }
  const credentials = newCredentials(composition);
  await writeAtomically(file, `${JSON.stringify(credentials, undefined, 2)}\n`);
  await ensureApplications(composition, credentials);
  return { keys: 'made', credentials, file };
}

async function isDeleted({ log }: Composition, tenantId: string): Promise<boolean> {
  const { status } = foldStream(tenantFold, await log.readStream(tenantStream(tenantId)));
  return status === 'deleted' || status === 'erased';
}

async function ensureApplications(
  composition: Composition,
  credentials: DevelopmentCredentials,
): Promise<void> {
  await createTenant(composition, contextFor(credentials, 'tenant'), name);
  for (const type of types) await ensureApplication(composition, credentials, type);
}

async function ensureApplication(
  composition: Composition,
  credentials: DevelopmentCredentials,
  type: ApplicationType,
): Promise<void> {
  const application = { name: `${name} ${type}`, type, key: credentials[type] };
  try {
    const { result } = await createFullApplication(composition, contextFor(credentials, type), application);
    await grantEveryPermission(
      composition,
      systemContext(credentials.tenant_id, actor),
      result.application.id,
    );
  } catch (error) {
    // Whoever deleted it does not want it back. What somebody changed is refused, and the others go on.
    if (!(error instanceof NotFound || error instanceof IntegrityError)) throw error;
  }
}

/** Always the same command for the same tenant, so that it takes effect once. */
function contextFor({ tenant_id: tenantId }: DevelopmentCredentials, what: string) {
  const commandId = derivedId(tenantId, 'development', what);
  return { ...systemContext(tenantId, actor), commandId, repeated: true };
}

const newCredentials = ({ credentials }: Composition): DevelopmentCredentials => ({
  tenant_id: randomId(),
  management: credentials.generate('management'),
  private: credentials.generate('private'),
  public: credentials.generate('public'),
});

async function readCredentials(file: string): Promise<DevelopmentCredentials | undefined> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (errno(error) === 'ENOENT') return undefined;
    throw new StartupError(`${file} cannot be read`, { cause: error });
  });
  if (text === undefined) return undefined;
  const credentials = parsed(text);
  const isComplete = ['tenant_id', ...types].every((member) => typeof credentials?.[member] === 'string');
  if (!isComplete) throw new StartupError(`${file} is damaged: remove it, and the next start makes new keys`);
  return credentials as DevelopmentCredentials;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
