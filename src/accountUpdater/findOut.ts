import type { CardBatchAnswer, CardInquiry } from '#ports/cardNetworks.ts';
import { CardNetworksFailed } from '#ports/cardNetworks.ts';
import type { JsonObject } from '#ports/json.ts';
import type { UpdaterDependencies } from '#src/accountUpdater/dependencies.ts';
import { findingOf } from '#src/accountUpdater/finding.ts';
import type { Finding } from '#src/accountUpdater/finding.ts';
import { judgeRow } from '#src/accountUpdater/judgeRow.ts';
import type { Row } from '#src/accountUpdater/readRows.ts';
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
};

/**
 * Looks what is wrong with rows, and asks the networks about the others.
 * @throws CardNetworksFailed where it may go better later
 */
export async function findOut(
  { cardNetworks, logger }: Pick<UpdaterDependencies, 'cardNetworks' | 'logger'>,
  { tenantId, batchId, rows, cards, merchants }: Question,
): Promise<FoundOut> {
  const findings = new Map<number, Finding>();
  const asked: { row: number; inquiry: CardInquiry }[] = [];
  for (const row of rows) {
    const card = cards.get(row.token);
    const verdict = judgeRow(row, card && storedCardOf(card), merchants);
    if ('code' in verdict) findings.set(row.number, verdict);
    else asked.push({ row: row.number, inquiry: verdict.inquiry });
  }
  if (asked.length === 0) return { status: 'found', findings, hasAsked: false };
  const batch = { id: batchId, tenantId, cards: asked.map(({ inquiry }) => inquiry) };
  const answer = await cardNetworks.ask(batch).catch((error: unknown): CardBatchAnswer => {
    if (!(error instanceof CardNetworksFailed) || error.isTemporary) throw error;
    logger.error({ err: error, batch_id: batchId }, 'the card networks refused a batch');
    return { status: 'answered', answers: asked.map(() => ({ code: 'ERR_UNDEFINED' })) };
  });
  if (answer.status === 'pending') return answer;
  asked.forEach(({ row, inquiry }, index) => {
    const found = findingOf(inquiry, answer.answers[index] ?? { code: 'ERR_UNDEFINED' });
    if (found !== undefined) findings.set(row, found);
  });
  return { status: 'found', findings, hasAsked: true };
}
