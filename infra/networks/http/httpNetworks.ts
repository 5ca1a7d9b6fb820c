import { Backoff } from '#infra/backoff.ts';
import { readBatchAnswer } from '#infra/networks/http/batchAnswer.ts';
import { CardNetworksFailed } from '#ports/cardNetworks.ts';
import type { CardBatch, CardBatchAnswer, CardNetworks } from '#ports/cardNetworks.ts';
import { OutboundFailed, OutboundRefused, OutboundTooLarge } from '#ports/outbound.ts';
import type { Outbound, OutboundAnswer } from '#ports/outbound.ts';

export type HttpNetworksSettings = {
  outbound: Pick<Outbound, 'send'>;
  /** Where the gateway takes batches, without a final slash; https. */
  url: string;
  /** Sent as a bearer token. */
  apiKey: string;
  /** By default five. */
  attempts?: number;
  /** Milliseconds between attempts. By default one second at first, and 30 at most. */
  pauses?: { first: number; longest: number };
};

type Attempt = CardBatchAnswer | { status: 'failed'; reason: string; cause?: unknown };

const limits = { totalMilliseconds: 60_000, responseBytes: 32 * 1024 * 1024, requestBytes: 32 * 1024 * 1024 };
const statusesToRepeat = new Set([408, 425, 429, 500, 502, 503, 504]);
const defaultPending = 60_000;
const longestPending = 24 * 3_600_000;

/** A gateway to the networks: see docs/account-updater.md for what is said between it and us. */
export function createHttpNetworks(settings: HttpNetworksSettings): CardNetworks {
  const { attempts = 5, pauses = { first: 1000, longest: 30_000 } } = settings;
  return {
    ask: async (batch, signal) => {
      const backoff = new Backoff(pauses.first, pauses.longest);
      const body = Buffer.from(JSON.stringify(requestOf(batch)));
      for (let attempt = 1; ; attempt++) {
        const outcome = await askOnce(settings, batch, body, signal);
        if (outcome.status !== 'failed') return outcome;
        if (attempt >= attempts) throw new CardNetworksFailed(outcome.reason, true, { cause: outcome.cause });
        await backoff.pause(signal);
        signal?.throwIfAborted();
      }
    },
  };
}

const requestOf = ({ id, cards }: CardBatch): object => ({
  id,
  cards: cards.map(({ network, number, expiration, merchantId }, index) => ({
    id: index,
    network,
    number,
    expiration_month: expiration.month,
    expiration_year: expiration.year,
    merchant_id: merchantId,
  })),
});

/** @throws CardNetworksFailed where another attempt would end alike */
async function askOnce(
  { outbound, url, apiKey }: HttpNetworksSettings,
  { id, tenantId, cards }: CardBatch,
  body: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  let answer: OutboundAnswer;
  try {
    answer = await outbound.send({
      tenantId,
      url: `${url}/batches/${id}`,
      method: 'PUT',
      headers: [
        ['authorization', `Bearer ${apiKey}`],
        ['content-type', 'application/json'],
        ['accept', 'application/json'],
      ],
      body,
      limits,
      signal,
    });
  } catch (error) {
    if (!(error instanceof OutboundFailed)) throw error;
    const reason = `The card network gateway could not be asked: ${error.message}`;
    if (error instanceof OutboundRefused || error instanceof OutboundTooLarge) {
      throw new CardNetworksFailed(reason, false, { cause: error });
    }
    return { status: 'failed', reason, cause: error };
  }
  if (answer.status === 202) return { status: 'pending', milliseconds: pendingOf(answer) };
  if (answer.status !== 200) {
    const reason = `The card network gateway answered ${answer.status}.`;
    if (statusesToRepeat.has(answer.status)) return { status: 'failed', reason };
    throw new CardNetworksFailed(reason, false);
  }
  const answers = readBatchAnswer(answer.body, cards.length);
  if (answers === undefined) {
    throw new CardNetworksFailed('The card network gateway gave an answer that cannot be read.', false);
  }
  return { status: 'answered', answers };
}

function pendingOf({ headers }: OutboundAnswer): number {
  const [, text = ''] = headers.find(([name]) => name === 'retry-after') ?? [];
  if (!/^\d{1,9}$/.test(text)) return defaultPending;
  return Math.min(Math.max(Number(text), 1) * 1000, longestPending);
}
