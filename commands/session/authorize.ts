import { hasExpired, isPast } from '#src/expiry.ts';
import { FaultList, readExpiry } from '#commands/attributes.ts';
import { lendRights } from '#commands/session/lend.ts';
import { checkSessionRights } from '#commands/session/rights.ts';
import type { SessionRightsInput } from '#commands/session/rights.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { loadStream } from '#commands/stream.ts';
import { applicationStream } from '#domain/application/events.ts';
import { applicationFold } from '#domain/application/state.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { authorizeSession as decide } from '#domain/session/decide.ts';
import { sessionStream } from '#domain/session/events.ts';
import type { SessionRule } from '#domain/session/events.ts';
import { sessionFold } from '#domain/session/state.ts';
import type { Clock } from '#ports/clock.ts';
import { NotFound, ValidationFailed } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';

/** A session is for one purpose, not for good: so long it lasts at most, in milliseconds. */
const longest = 24 * 60 * 60_000;
/** The same, where it is shown what the application itself is not. */
const longestBeyond = 15 * 60_000;

export type SessionAuthorizationInput = SessionRightsInput & {
  nonce: string;
  /** Absent: the session ends when it would have ended anyway. */
  expires_at?: string | null;
};

/**
 * Lets the session of a nonce do what the calling application says: never more than that application may do
 * itself, but for reveals of one token where the tenant allows those. Source: reference of sessions.
 * @throws ValidationFailed, Forbidden (a permission that the application does not hold), NotFound (no such nonce,
 *   or its session has expired), Conflicted (used already), Unavailable
 */
export async function authorizeSession(
  dependencies: CommandDependencies,
  context: CommandContext,
  input: SessionAuthorizationInput,
): Promise<Outcome<undefined>> {
  const { clock } = dependencies;
  const { tenantId, actor } = context;
  const faults = new FaultList();
  const checked = checkSessionRights(input, faults);
  const expiresAt = readExpiry(input.expires_at, clock, 'expires_at', faults);
  if (expiresAt !== undefined && Date.parse(expiresAt) > clock.now().getTime() + longest) {
    faults.add('expires_at', 'must be within 24 hours');
  }
  if (faults.any) throw new ValidationFailed(faults.faults);
  const { permissions, rules } = await lendRights(dependencies, context, checked);
  requireShort(rules, expiresAt, clock);
  if (!isUuid(input.nonce)) throw noSession();
  const executed = await execute(dependencies, context, {
    stream: sessionStream(tenantId, input.nonce.toLowerCase()),
    fold: sessionFold,
    decide: async (state) => {
      if (state.status !== 'live' || isPast(state.expiresAt, clock)) throw noSession();
      // A session ends with the application that opened it.
      const opener = await loadStream(
        dependencies.log,
        applicationStream(tenantId, state.applicationId),
        applicationFold,
      );
      if (opener.state.status !== 'live' || hasExpired(opener.state, clock)) throw noSession();
      return decide(state, { applicationId: actor.id, permissions, rules }, expiresAt);
    },
  });
  return settle(dependencies, executed.position, undefined);
}

/** @throws ValidationFailed */
function requireShort(rules: readonly SessionRule[], expiresAt: string | undefined, clock: Clock): void {
  const beyond = rules.find(({ lends = [] }) => lends.length > 0);
  if (beyond === undefined || expiresAt === undefined) return;
  if (Date.parse(expiresAt) <= clock.now().getTime() + longestBeyond) return;
  const faults = new FaultList();
  faults.add(
    'expires_at',
    `must be within 15 minutes: the rule of priority ${beyond.priority} gives what the application does not hold itself`,
  );
  throw new ValidationFailed(faults.faults);
}

const noSession = (): NotFound => new NotFound('There is no session with this nonce.');
