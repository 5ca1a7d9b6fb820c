import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import type { Executed } from '#commands/execute.ts';
import { claimFingerprints } from '#commands/token/deduplicate.ts';
import type { PreparedToken } from '#commands/token/prepare.ts';
import { areTwins } from '#commands/token/twins.ts';
import type { Wanted } from '#commands/token/twins.ts';
import { writeTokens } from '#commands/token/writeTokens.ts';
import type { LiveToken, TokenState } from '#domain/token/state.ts';
import type { Position } from '#ports/eventLog.ts';

/** What became of a prepared token: it was there already, or it is written, by itself or as one of the others. */
export type StoredToken =
  { existing: LiveToken } | { executed: Executed<TokenState>; prepared: PreparedToken };

/**
 * Stores prepared tokens, all or none; answers what became of them in their order, and how far views have to come to
 * show it. One that is to be deduplicated may turn out to be there already, or to be one of the others.
 * @throws ValidationFailed, Conflicted, Unavailable
 */
export async function storeTokens(
  dependencies: CommandDependencies,
  context: CommandContext,
  tokens: readonly PreparedToken[],
): Promise<{ stored: StoredToken[]; position: Position | undefined }> {
  const groups = groupTwins(tokens);
  const shared = groups.flatMap(({ wanted }) => (wanted === undefined ? [] : [wanted]));
  const claimed = shared.length > 0 ? await claimFingerprints(dependencies, context, shared) : undefined;
  const existingOf = ({ wanted }: Group): LiveToken | undefined =>
    wanted === undefined ? undefined : claimed?.existing.get(wanted);
  const fresh = groups.filter((group) => existingOf(group) === undefined);
  const written = await writeTokens(
    dependencies,
    context,
    fresh.map(({ leader }) => leader),
    claimed?.confirm,
  ).finally(() => claimed?.release());
  const executed = new Map(fresh.map((group, index) => [group, written[index]]));
  const storedOf = (group: Group): StoredToken => {
    const existing = existingOf(group);
    if (existing !== undefined) return { existing };
    return { executed: found(executed.get(group)), prepared: group.leader };
  };
  const results = new Map(
    groups.flatMap((group) => group.members.map((token) => [token, storedOf(group)] as const)),
  );
  return {
    stored: tokens.map((token) => found(results.get(token))),
    position: lastPosition(dependencies, written),
  };
}

/** Tokens of one request that come to the same: the first stands for all. */
type Group = { leader: PreparedToken; members: PreparedToken[]; wanted: Wanted | undefined };

function groupTwins(tokens: readonly PreparedToken[]): Group[] {
  const groups: Group[] = [];
  for (const token of tokens) {
    const wanted = wantedOf(token);
    const twins =
      wanted && groups.find((group) => group.wanted !== undefined && areTwins(group.wanted, wanted));
    if (twins === undefined) groups.push({ leader: token, members: [token], wanted });
    else twins.members.push(token);
  }
  return groups;
}

/** What may be answered in its place; undefined: it is made in any case. */
function wantedOf({ deduplicate, type, attributes, secret }: PreparedToken): Wanted | undefined {
  const { fingerprint, data } = secret;
  return deduplicate && fingerprint !== undefined ? { fingerprint, type, attributes, data } : undefined;
}

function lastPosition(
  { log }: Pick<CommandDependencies, 'log'>,
  written: readonly Executed<TokenState>[],
): Position | undefined {
  return written.reduce<Position | undefined>((last, { position }) => {
    if (position === undefined || last === undefined) return position ?? last;
    return log.comparePositions(position, last) > 0 ? position : last;
  }, undefined);
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('a token was neither found nor written');
  return value;
}
