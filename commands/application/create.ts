import { checkRights } from '#commands/application/rights.ts';
import type { RightsInput } from '#commands/application/rights.ts';
import { applicationFold } from '#domain/application/state.ts';
import { FaultList, readExpiry } from '#commands/attributes.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { permissionsOf } from '#access/permissions.ts';
import { createApplication as decide } from '#domain/application/decide.ts';
import { applicationStream } from '#domain/application/events.ts';
import type { ApplicationType } from '#domain/application/events.ts';
import type { ApplicationRights, LiveApplication } from '#domain/application/state.ts';
import { NotFound, ValidationFailed } from '#src/errors.ts';
import { resourceId } from '#src/identifiers.ts';

/** spec: Create Application */
export type NewApplicationInput = RightsInput & {
  type: ApplicationType;
  expires_at?: string | null;
  create_key?: boolean | null;
};

/** An application with a key that is shown this once. */
export type ApplicationWithKey = { application: LiveApplication; key: string | undefined };

/**
 * Creates an application and, unless told otherwise, its first key.
 * @throws ValidationFailed, Conflicted, Unavailable
 */
export async function createApplication(
  dependencies: CommandDependencies,
  context: CommandContext,
  input: NewApplicationInput,
): Promise<Outcome<ApplicationWithKey>> {
  const faults = new FaultList();
  const rights = checkRights(input.type, input, faults);
  const expiresAt = readExpiry(input.expires_at, dependencies.clock, 'expires_at', faults);
  if (faults.any) throw new ValidationFailed(faults.faults);
  const key = input.create_key === false ? undefined : dependencies.credentials.generate(input.type);
  return storeApplication(dependencies, context, { type: input.type, rights, expiresAt, key });
}

/**
 * Creates an application that holds whatever its type may hold, now and in later versions, with a given key.
 * Only the service itself does this, for its development tenant and for the first key of a new tenant.
 */
export function createFullApplication(
  dependencies: CommandDependencies,
  context: CommandContext,
  application: { name: string; type: ApplicationType; key: string },
): Promise<Outcome<ApplicationWithKey>> {
  const { name, type, key } = application;
  const rights = {
    name,
    permissions: permissionsOf(type),
    rules: [],
    everyPermission: true,
    publicFingerprints: false,
    origins: [],
  };
  return storeApplication(dependencies, context, { type, rights, expiresAt: undefined, key });
}

type Prepared = {
  type: ApplicationType;
  rights: ApplicationRights;
  expiresAt: string | undefined;
  key: string | undefined;
};

async function storeApplication(
  dependencies: CommandDependencies,
  context: CommandContext,
  { type, rights, expiresAt, key }: Prepared,
): Promise<Outcome<ApplicationWithKey>> {
  const { credentials } = dependencies;
  const { tenantId, commandId } = context;
  const id = resourceId(commandId, 'application');
  const keyId = key === undefined ? undefined : resourceId(commandId, 'key');
  const storeKey = async (): Promise<void> => {
    if (key !== undefined && keyId !== undefined) {
      await credentials.store({ tenantId, applicationId: id, keyId }, key);
    }
  };
  const executed = await execute(dependencies, context, {
    stream: applicationStream(tenantId, id),
    fold: applicationFold,
    expectNew: true,
    decide: async (state) => {
      // A credential without its event opens nothing, so it may be there first.
      await storeKey();
      return decide(state, { id, type, ...rights, expiresAt, keyId });
    },
  });
  if (executed.state.status !== 'live') throw new NotFound();
  // An earlier run made the key, and its answer was lost with the secret: the key gets this one.
  if (executed.repeated) await storeKey();
  return settle(dependencies, executed.position, { application: executed.state, key });
}
