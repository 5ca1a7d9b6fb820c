import { mayAnywhere } from '#access/evaluate.ts';
import type { Target } from '#access/evaluate.ts';
import { lendingSetting, mayLend, outOfReach, tokenNamedBy } from '#access/lending.ts';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import type { SessionRights } from '#commands/session/rights.ts';
import { loadStream } from '#commands/stream.ts';
import type { SessionRule } from '#domain/session/events.ts';
import { tokenStream } from '#domain/token/events.ts';
import { tokenFold } from '#domain/token/state.ts';
import { Forbidden } from '#src/errors.ts';

/**
 * The rules of a session by priority, each with what it gives beyond what the application holds.
 * @throws Forbidden for what the application does not hold, and may not lend; a session that can never do what it says
 *   would help nobody
 */
export async function lendRights(
  { log }: Pick<CommandDependencies, 'log'>,
  context: CommandContext,
  { permissions, rules }: SessionRights,
): Promise<SessionRights> {
  const { tenantId, rights: own, tenantSettings } = context;
  const mayGoBeyond = tenantSettings?.[lendingSetting] === 'true';
  const lacking = permissions.find((permission) => !mayAnywhere(own, permission));
  if (lacking !== undefined) throw notHeld(lacking);
  const lent = await Promise.all(
    rules.map(async (rule, index): Promise<SessionRule> => {
      const token = await tokenOf(log, tenantId, rule);
      const beyond = outOfReach(own, rule, token);
      const [first] = beyond;
      if (first === undefined) return rule;
      if (mayGoBeyond && mayLend(own, rule, beyond, token)) return { ...rule, lends: beyond };
      throw mayAnywhere(own, first) ? neverRevealed(first, index) : notHeld(first);
    }),
  );
  return { permissions, rules: lent.sort((a, b) => a.priority - b.priority) };
}

/** As it is now: where it may lie later is not for a session to wait for. */
async function tokenOf(
  log: CommandDependencies['log'],
  tenantId: string,
  rule: SessionRule,
): Promise<Target | undefined> {
  const id = tokenNamedBy(rule);
  if (id === undefined) return undefined;
  const { state } = await loadStream(log, tokenStream(tenantId, id), tokenFold);
  return state.status === 'live' ? { id, containers: state.containers } : undefined;
}

const how = `The tenant's setting ${lendingSetting} lets it lend that for one token, which it may read.`;

const notHeld = (permission: string): Forbidden =>
  new Forbidden(
    `A session cannot be given ${permission}: the application does not hold it itself.${permission === 'token:use' ? ` ${how}` : ''}`,
  );

const neverRevealed = (permission: string, index: number): Forbidden =>
  new Forbidden(
    `rules[${index}] can never reveal by ${permission}: the application itself is shown less there. ${how}`,
  );
