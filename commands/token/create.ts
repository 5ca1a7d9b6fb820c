import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import type { Executed } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { answerOf } from '#commands/token/answer.ts';
import { claimFingerprints, showExisting } from '#commands/token/deduplicate.ts';
import { prepareTokens } from '#commands/token/prepareTokens.ts';
import type { NewToken } from '#commands/token/prepareTokens.ts';
import type { NewTokenInput, PreparedToken } from '#commands/token/prepare.ts';
import { writeTokens } from '#commands/token/writeTokens.ts';
import type { ShownToken } from '#access/showToken.ts';
import type { TokenState } from '#domain/token/state.ts';
import type { Position } from '#ports/eventLog.ts';

/**
 * Stores a new token; answers it with its data masked. spec: Create Token
 * @throws ValidationFailed, Forbidden, Conflicted (the id is or was in use), Unavailable
 */
export async function createToken(
  dependencies: CommandDependencies,
  context: CommandContext,
  input: NewTokenInput,
): Promise<Outcome<ShownToken>> {
  const { result, stale } = await createTokens(dependencies, context, [{ input, path: '' }]);
  const [token] = result;
  if (token === undefined) throw new Error('a token was asked for');
  return { result: token, stale };
}

/**
 * Stores new tokens, all or none; answers them in their order. One that is to be deduplicated may turn out to be
 * there already, or to be one of the others.
 * @throws ValidationFailed, Forbidden, Conflicted, Unavailable
 */
export async function createTokens(
  dependencies: CommandDependencies,
  context: CommandContext,
  tokens: readonly NewToken[],
): Promise<Outcome<ShownToken[]>> {
  const prepared = await prepareTokens(dependencies, context, tokens);
  const shared = prepared.flatMap((token) => sharedFingerprint(token) ?? []);
  const claimed = shared.length > 0 ? await claimFingerprints(dependencies, context, shared) : undefined;
  const leaders = leadersOf(prepared);
  const fresh = leaders.filter((token) => claimed?.existing.has(sharedFingerprint(token) ?? '') !== true);
  const written = await writeTokens(dependencies, context, fresh).finally(() => claimed?.release());
  const byToken = new Map(fresh.map((token, index) => [token, written[index]]));
  const byFingerprint = new Map(leaders.map((token) => [sharedFingerprint(token) ?? token.path, token]));
  const answers = await Promise.all(
    prepared.map((token) => {
      const fingerprint = sharedFingerprint(token);
      const existing = claimed?.existing.get(fingerprint ?? '');
      if (existing !== undefined) return showExisting(dependencies, context, existing);
      const leader = fingerprint === undefined ? token : (byFingerprint.get(fingerprint) ?? token);
      const executed = executedOf(byToken.get(leader));
      return answerOf(dependencies, context, 'token:create', executed, leader);
    }),
  );
  return settle(dependencies, lastPosition(dependencies, written), answers);
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
