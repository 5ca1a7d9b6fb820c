import { createHmac, randomBytes } from 'node:crypto';
import type { CardMetrics } from '#http/metrics.ts';
import { clientOf } from '#http/request/rateGate.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import type { Logger } from '#ports/logger.ts';

export interface CardWatch {
  see(address: string, type: Caller['type'], numbers: readonly string[]): void;
}

export type CardWatchSettings = {
  /** So many different numbers of one issuer from one client are an alarm. */
  many?: number;
  /** Over how long they are counted, in milliseconds. */
  window?: number;
  /** Of client and issuer; those that came first are forgotten first. */
  most?: number;
  now?(): number;
};

/** `alarmed`: nothing is counted any more before the window ends. */
type Count = { since: number; seen: Set<string>; alarmed: boolean };

/**
 * Looks out for clients that try card numbers: many of one issuer, one after the other. Numbers are known by a keyed
 * digest of this process alone, in its memory, until the window ends.
 */
export function createCardWatch(
  metrics: CardMetrics,
  logger: Pick<Logger, 'warn'>,
  { many = 50, window = 600_000, most = 10_000, now = () => performance.now() }: CardWatchSettings = {},
): CardWatch {
  const key = randomBytes(32);
  const digestOf = (text: string): string =>
    createHmac('sha256', key).update(text).digest('base64').slice(0, 12);
  const counts = new Map<string, Count>();
  const countOf = (name: string): Count => {
    const known = counts.get(name);
    if (known !== undefined && now() - known.since < window) return known;
    const count = { since: now(), seen: new Set<string>(), alarmed: false };
    counts.delete(name);
    counts.set(name, count);
    const [oldest] = counts.keys();
    if (counts.size > most && oldest !== undefined) counts.delete(oldest);
    return count;
  };
  return {
    see: (address, type, numbers) => {
      const client = clientOf(address);
      const caller = type === 'public' || type === 'session' ? 'public' : 'private';
      for (const number of numbers) {
        const count = countOf(digestOf(`${client} ${caller} ${issuerOf(number)}`));
        const digest = digestOf(number);
        if (count.alarmed || count.seen.has(digest)) continue;
        count.seen.add(digest);
        metrics.cardNumbersSeen(caller, 1);
        if (count.seen.size < many) continue;
        count.alarmed = true;
        count.seen.clear();
        metrics.manyCardNumbers(caller);
        logger.warn({ address, caller, numbers: many }, 'one client gave many card numbers of one issuer');
      }
    },
  };
}

/** The digits that name the issuer: eight since cards have sixteen digits or more, else six. */
const issuerOf = (number: string): string => number.slice(0, number.length < 16 ? 6 : 8);
