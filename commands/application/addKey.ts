import { liveApplication } from '#commands/application/live.ts';
import { applicationFold } from '#domain/application/state.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { applicationStream } from '#domain/application/events.ts';
import type { ApplicationEvent } from '#domain/application/events.ts';
import type { ApplicationKey, ApplicationState, LiveApplication } from '#domain/application/state.ts';
import { isRefusal } from '#domain/event.ts';
import type { Decision } from '#domain/event.ts';
import { NotFound } from '#src/errors.ts';
import { resourceId } from '#src/identifiers.ts';

/** A key whose secret is shown this once, and the application that has it now. */
export type NewKey = { application: LiveApplication; entry: ApplicationKey; key: string };

/**
 * Gives an application a new key, as a decision allows.
 * @param given a key made beforehand; without one, a new key is made
 * @throws NotFound, Unprocessable (the decision's reason), Conflicted, Unavailable
 */
export async function addKey(
  dependencies: CommandDependencies,
  context: CommandContext,
  applicationId: string,
  decide: (state: ApplicationState, keyId: string) => Decision<ApplicationEvent>,
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
  return settle(dependencies, executed.position, { application, entry, key });
}
