import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { createSession as decide } from '#domain/session/decide.ts';
import { sessionStream } from '#domain/session/events.ts';
import { sessionFold } from '#domain/session/state.ts';
import type { LiveSession } from '#domain/session/state.ts';
import { NotFound } from '#src/errors.ts';
import { resourceId } from '#src/identifiers.ts';

/** How long a session lives when nobody says otherwise, in milliseconds. Source: reference of sessions. */
const lifetime = 3 * 60_000;

/** A session and its key, which is shown this once. */
export type NewSession = { session: LiveSession; key: string };

/**
 * Opens a session for the calling application: its key may do nothing until the session is authorized. The id of
 * the session is the nonce that authorizes it. Source: reference of sessions.
 * @throws Conflicted, Unavailable
 */
export async function createSession(
  dependencies: CommandDependencies,
  context: CommandContext,
): Promise<Outcome<NewSession>> {
  const { credentials, clock } = dependencies;
  const { tenantId, commandId, actor } = context;
  const id = resourceId(commandId, 'session');
  const key = credentials.generate('session');
  // A credential without its event opens nothing, so it may be there first.
  const storeKey = (): Promise<void> =>
    credentials.store({ tenantId, applicationId: actor.id, keyId: id }, key);
  const executed = await execute(dependencies, context, {
    stream: sessionStream(tenantId, id),
    fold: sessionFold,
    expectNew: true,
    decide: async (state) => {
      await storeKey();
      const expiresAt = new Date(clock.now().getTime() + lifetime).toISOString();
      return decide(state, { id, applicationId: actor.id, expiresAt });
    },
  });
  if (executed.state.status !== 'live') throw new NotFound();
  // An earlier run made a key, and its answer was lost with the secret: the session gets this one.
  if (executed.repeated) await storeKey();
  return settle(dependencies, executed.position, { session: executed.state, key });
}
