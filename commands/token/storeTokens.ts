import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import type { Executed } from '#commands/execute.ts';
import { claimFingerprints } from '#commands/token/deduplicate.ts';
import type { PreparedToken } from '#commands/token/prepare.ts';
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
  const shared = tokens.flatMap((token) => {
    const fingerprint = sharedFingerprint(token);
    if (fingerprint === undefined) return [];
    return [{ fingerprint, expression: token.attributes.fingerprintExpression }];
  });
  const claimed = shared.length > 0 ? await claimFingerprints(dependencies, context, shared) : undefined;
  const leaders = leadersOf(tokens);
  const fresh = leaders.filter((token) => claimed?.existing.has(sharedFingerprint(token) ?? '') !== true);
  const written = await writeTokens(dependencies, context, fresh, claimed?.confirm).finally(() =>
    claimed?.release(),
  );
  const byToken = new Map(fresh.map((token, index) => [token, written[index]]));
  const byFingerprint = new Map(leaders.map((token) => [sharedFingerprint(token) ?? token.path, token]));
  const stored = tokens.map((token): StoredToken => {
    const fingerprint = sharedFingerprint(token);
    const existing = claimed?.existing.get(fingerprint ?? '');
    if (existing !== undefined) return { existing };
    const prepared = fingerprint === undefined ? token : (byFingerprint.get(fingerprint) ?? token);
    return { executed: executedOf(byToken.get(prepared)), prepared };
  });
  return { stored, position: lastPosition(dependencies, written) };
}

/** The fingerprint by which a token may turn out to be there already. */
const sharedFingerprint = ({ deduplicate, secret }: PreparedToken): string | undefined =>
  deduplicate ? secret.fingerprint : undefined;

/** Of tokens that share a fingerprint the first stands for all. */
function leadersOf(tokens: readonly PreparedToken[]): PreparedToken[] {
  const seen = new Set<string>();
  return tokens.filter((token) => {
    const fingerprint = sharedFingerprint(token);
    if (fingerprint === undefined) return true;
    if (seen.has(fingerprint)) return false;
    seen.add(fingerprint);
    return true;
  });
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

function executedOf(executed: Executed<TokenState> | undefined): Executed<TokenState> {
  if (executed === undefined) throw new Error('a token was neither found nor written');
  return executed;
}
