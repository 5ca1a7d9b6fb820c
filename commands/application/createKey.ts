import { liveApplication } from '#commands/application/live.ts';
import { applicationFold } from '#domain/application/state.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { createKey as decide } from '#domain/application/decide.ts';
import { applicationStream } from '#domain/application/events.ts';
import type { ApplicationKey } from '#domain/application/state.ts';
import { isRefusal } from '#domain/event.ts';
import { NotFound } from '#src/errors.ts';
import { resourceId } from '#src/identifiers.ts';

/** A key whose secret is shown this once. */
export type NewKey = { entry: ApplicationKey; key: string };

/**
 * Adds a key to an application.
 * @param given a key made beforehand; without one, a new key is made
 * @throws NotFound, Unprocessable (three keys already), Conflicted, Unavailable
 */
export async function createKey(
  dependencies: CommandDependencies,
  context: CommandContext,
  applicationId: string,
  given?: string,
): Promise<Outcome<NewKey>> {
  const { credentials, clock } = dependencies;
  const { tenantId } = context;
  const keyId = resourceId(context.commandId, 'key');
  const store = (key: string): Promise<void> => credentials.store({ tenantId, applicationId, keyId }, key);
  let key = given;
  const executed = await execute(dependencies, context, {
    stream: applicationStream(tenantId, applicationId),
    fold: applicationFold,
    decide: async (state) => {
      const application = liveApplication(state, clock);
      const decision = decide(state, keyId);
      if (isRefusal(decision)) return decision;
      key ??= credentials.generate(application.type);
      // A credential without its event opens nothing, so it may be there first.
      await store(key);
      return decision;
    },
  });
  const application = liveApplication(executed.state, clock);
  const entry = application.keys.find(({ id }) => id === keyId);
  if (entry === undefined) throw new NotFound();
  if (key === undefined) {
    // An earlier run made the key, and its answer was lost with the secret: the key gets a new one.
    key = credentials.generate(application.type);
    await store(key);
  }
  return settle(dependencies, executed.position, { entry, key });
}
