import { renewTokens } from '#commands/accountUpdater/renew.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { recordTokenUse } from '#commands/recordUse.ts';
import { settle } from '#commands/settle.ts';
import { loadStream } from '#commands/stream.ts';
import { lesser } from '#access/accessRule.ts';
import { transformFor } from '#access/evaluate.ts';
import { showToken } from '#access/showToken.ts';
import type { ShownToken } from '#access/showToken.ts';
import type { ResultCode } from '#domain/accountUpdater/resultCodes.ts';
import { tokenStream } from '#domain/token/events.ts';
import { tokenFold } from '#domain/token/state.ts';
import type { Audit } from '#ports/audit.ts';
import { CardNetworksFailed } from '#ports/cardNetworks.ts';
import type { CardAnswer, CardInquiry, CardNetworks } from '#ports/cardNetworks.ts';
import type { Position } from '#ports/eventLog.ts';
import { readCard } from '#queries/accountUpdater/cards.ts';
import type { CardToken } from '#queries/accountUpdater/cards.ts';
import { findingOf } from '#src/accountUpdater/finding.ts';
import type { Finding } from '#src/accountUpdater/finding.ts';
import { checkedExpiration, judgeCard } from '#src/accountUpdater/judgeRow.ts';
import { storedCardOf } from '#src/accountUpdater/storedCard.ts';
import { NotFound, Unavailable, ValidationFailed } from '#src/errors.ts';
import { derivedId } from '#src/identifiers.ts';
import { readTokenPayload } from '#src/payloads.ts';

export type RealTimeDependencies = CommandDependencies & { cardNetworks: CardNetworks; audit: Audit };

export type RealTimeInput = {
  tokenId: string;
  /** Before what the token says. */
  expirationMonth: number | undefined;
  /** Four digits. */
  expirationYear: number | undefined;
  deduplicate: boolean | undefined;
};

export type RealTimeAnswer = { code: ResultCode | 'NO_UPDATE'; newToken?: ShownToken };

/** How long networks are waited for, in milliseconds. */
const patience = 20_000;

/**
 * Asks the networks about one card token, and makes a new token when its card was replaced or renewed.
 * Source: reference of the real-time updater.
 * @throws NotFound, ValidationFailed for a token of another type, Unavailable while networks do not answer
 */
export async function updateNow(
  dependencies: RealTimeDependencies,
  context: CommandContext,
  input: RealTimeInput,
): Promise<Outcome<RealTimeAnswer>> {
  const card = await cardNamed(dependencies, context.tenantId, input.tokenId);
  await recordTokenUse(dependencies, context, input.tokenId, 'redact');
  const finding = await findOutNow(dependencies, context, card, input);
  const code = finding?.code ?? 'NO_UPDATE';
  if (finding?.renewed === undefined) return settle(dependencies, undefined, { code });
  const { deduplicate } = input;
  const renewal = { part: 'new token', ...card, ...finding.renewed, deduplicate };
  const [newId] = await renewTokens(dependencies, { ...context, meets: context.rights }, [renewal]);
  if (newId === undefined) return settle(dependencies, undefined, { code });
  const { newToken, position } = await showNew(dependencies, context, newId);
  return settle(dependencies, position, { code, newToken });
}

async function cardNamed(
  dependencies: RealTimeDependencies,
  tenantId: string,
  id: string,
): Promise<CardToken> {
  const card = await readCard(dependencies, tenantId, id);
  if (card !== undefined) return card;
  const { state } = await loadStream(dependencies.log, tokenStream(tenantId, id), tokenFold);
  if (state.status !== 'live' || state.type === 'card') throw new NotFound();
  throw new ValidationFailed({ token_id: ["must name a token of the type 'card'"] });
}

async function findOutNow(
  { cardNetworks }: RealTimeDependencies,
  context: CommandContext,
  { data }: CardToken,
  { expirationMonth, expirationYear }: RealTimeInput,
): Promise<Finding | undefined> {
  const stored = storedCardOf(data);
  if (stored === undefined) return { code: 'ERR_INVALID_PAN' };
  const expiration = checkedExpiration(
    expirationMonth ?? stored.expirationMonth,
    expirationYear ?? stored.expirationYear,
  );
  // Nobody says here for which merchant it is.
  const verdict = judgeCard(stored, expiration, '');
  if ('code' in verdict) return verdict;
  return findingOf(verdict.inquiry, await answerFor(cardNetworks, context, verdict.inquiry));
}

async function answerFor(
  cardNetworks: CardNetworks,
  { tenantId, commandId }: CommandContext,
  inquiry: CardInquiry,
): Promise<CardAnswer> {
  const signal = AbortSignal.timeout(patience);
  const batch = { id: derivedId(commandId, 'batch'), tenantId, cards: [inquiry] };
  try {
    const answer = await cardNetworks.ask(batch, signal);
    if (answer.status === 'answered') return answer.answers[0] ?? { code: 'ERR_UNDEFINED' };
  } catch (error) {
    if (!(error instanceof CardNetworksFailed || signal.aborted)) throw error;
    throw new Unavailable('The card networks cannot be asked at the moment.', { cause: error });
  }
  throw new Unavailable('The card networks have not answered yet.');
}

/** Like the answer to a new token: masked for those who may read it. */
async function showNew(
  { log, vault }: RealTimeDependencies,
  { tenantId, rights }: CommandContext,
  id: string,
): Promise<{ newToken: ShownToken; position: Position | undefined }> {
  const { state, last } = await loadStream(log, tokenStream(tenantId, id), tokenFold);
  if (state.status !== 'live') throw new NotFound();
  const payload = await readTokenPayload(vault, state);
  if (payload === undefined) throw new NotFound();
  const transform = lesser('mask', transformFor(rights, 'token:read', state) ?? 'redact');
  return { newToken: await showToken(state, payload, transform), position: last?.position };
}
