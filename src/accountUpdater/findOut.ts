import type { CardBatchAnswer, CardInquiry } from '#ports/cardNetworks.ts';
import { CardNetworksFailed } from '#ports/cardNetworks.ts';
import type { JsonObject } from '#ports/json.ts';
import type { UpdaterDependencies } from '#src/accountUpdater/dependencies.ts';
import { findingOf } from '#src/accountUpdater/finding.ts';
import type { Finding } from '#src/accountUpdater/finding.ts';
import { judgeRow } from '#src/accountUpdater/judgeRow.ts';
import type { Row } from '#src/accountUpdater/readRows.ts';
import { derivedId } from '#src/identifiers.ts';
import { storedCardOf } from '#src/accountUpdater/storedCard.ts';

export type FoundOut =
  | { status: 'found'; findings: Map<number, Finding>; hasAsked: boolean }
  /** Networks want to be asked again when these milliseconds have passed. */
  | { status: 'pending'; milliseconds: number };

export type Question = {
  tenantId: string;
  batchId: string;
  rows: readonly Row[];
  /** What is stored of the tokens that rows name. */
  cards: ReadonlyMap<string, JsonObject>;
  merchants: ReadonlySet<string> | undefined;
  /** Tokens about which an earlier chunk has asked. */
  known: ReadonlyMap<string, unknown>;
};

/**
 * Looks what is wrong with rows, and asks the networks about the others: once about each token, for all of its rows.
 * @throws CardNetworksFailed where it may go better later
 */
export async function findOut(
  { cardNetworks, logger }: Pick<UpdaterDependencies, 'cardNetworks' | 'logger'>,
  { tenantId, batchId, rows, cards, merchants, known }: Question,
): Promise<FoundOut> {
  const findings = new Map<number, Finding>();
  const inquiries = new Map<string, { rows: number[]; inquiry: CardInquiry }>();
  for (const row of rows) {
    const card = cards.get(row.token);
    const verdict = judgeRow(row, card && storedCardOf(card), merchants);
    if ('code' in verdict) findings.set(row.number, verdict);
    else if (!known.has(row.token)) {
      const asked = inquiries.get(row.token);
      if (asked === undefined) inquiries.set(row.token, { rows: [row.number], inquiry: verdict.inquiry });
      else asked.rows.push(row.number);
    }
  }
  const asked = [...inquiries.values()];
  if (asked.length === 0) return { status: 'found', findings, hasAsked: false };
  // Earlier versions asked about each row, under the other id: who was asked so must not be taken to answer this.
  const isShorter = asked.some(({ rows: alike }) => alike.length > 1);
  const id = isShorter ? derivedId(batchId, 'each token once') : batchId;
  const batch = { id, tenantId, cards: asked.map(({ inquiry }) => inquiry) };
  const answer = await cardNetworks.ask(batch).catch((error: unknown): CardBatchAnswer => {
    if (!(error instanceof CardNetworksFailed) || error.isTemporary) throw error;
    logger.error({ err: error, batch_id: id }, 'the card networks refused a batch');
    return { status: 'answered', answers: asked.map(() => ({ code: 'ERR_UNDEFINED' })) };
  });
  if (answer.status === 'pending') return answer;
  asked.forEach(({ rows: alike, inquiry }, index) => {
    const found = findingOf(inquiry, answer.answers[index] ?? { code: 'ERR_UNDEFINED' });
    if (found !== undefined) for (const row of alike) findings.set(row, found);
  });
  return { status: 'found', findings, hasAsked: true };
}
