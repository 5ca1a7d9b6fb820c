import type { Client } from '#test/chaos/support/client.ts';
import type { Outcome, RequestOptions } from '#test/chaos/support/client.ts';
import type { Ledger } from '#test/chaos/support/ledger.ts';
import type { Verdict } from '#test/chaos/support/verdict.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '#test/support/until.ts';

/** What clients work with, and what they made before the load began. */
export type World = {
  client: Client;
  /** Of an application that sees everything in the clear. */
  revealKey: string;
  ledger: Ledger;
  verdict: Verdict;
  outsideUrl: string;
  connectionId: string;
  cardId: string;
  reactorId: string;
  /** From 0 to below the limit. */
  random: (limit: number) => number;
};

type Asking = Pick<World, 'client' | 'verdict'>;
type Definite = Exclude<Outcome, 'unknown'>;

/** Between two attempts, in milliseconds. */
const pause = 50;

/** Between two looks at whether an earlier attempt has ended, in milliseconds. */
const leasePause = 1_000;

/** A service that was killed must have come back long before, in milliseconds. */
const patience = 120_000;

/** Asks until the service has an answer that tells, again and again: for what may be repeated. */
export function insist(asking: Asking, ...request: Parameters<Client['ask']>): Promise<Definite> {
  return until(() => definite(asking, request), patience);
}

/**
 * {@link insist} under one idempotency key: 409 while an earlier attempt is under way, or for the length of its
 * lease when it was cut off.
 */
export function insistOnce(
  asking: Asking,
  path: string,
  body: unknown,
  idempotencyKey: string,
): Promise<Definite> {
  return until(async () => {
    const answer = await definite(asking, ['POST', path, body, { idempotencyKey }]);
    if (answer?.status !== 409) return answer;
    await sleep(leasePause);
    return undefined;
  }, patience);
}

async function definite(
  { client, verdict }: Asking,
  request: Parameters<Client['ask']>,
): Promise<Definite | undefined> {
  const outcome = await client.ask(...request);
  if (outcome !== 'unknown' && outcome.status !== 503) {
    if (outcome.status < 500) return outcome;
    verdict.wrong.push(describe(request, outcome));
  }
  // Nobody is there, or nobody who can do it: asked a moment later, as clients do.
  await sleep(pause);
  return undefined;
}

/**
 * Whether a request that is made once was carried out: `undefined` when nobody knows. What is neither a success nor
 * 503 is written down as wrong.
 */
export async function attempt(
  { client, verdict }: Asking,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  options?: RequestOptions,
): Promise<boolean | undefined> {
  const outcome = await client.ask(method, path, body, options);
  if (outcome === 'unknown' || outcome.status === 503) return undefined;
  if (outcome.status < 300) return true;
  verdict.wrong.push(describe([method, path], outcome));
  return false;
}

export const describe = (
  [method, path]: readonly unknown[],
  { status, body }: Exclude<Outcome, 'unknown'>,
): string =>
  `${String(method)} ${String(path).replace(/\?.*/, '')} answered ${status} ${JSON.stringify(body)?.slice(0, 300)}`;

/** Does something for each, some at a time. */
export async function forEach<Item>(
  items: Iterable<Item>,
  act: (item: Item) => Promise<void>,
  atATime = 24,
): Promise<void> {
  const waiting = [...items].values();
  const lane = async (): Promise<void> => {
    for (const item of waiting) await act(item);
  };
  await Promise.all(Array.from({ length: atATime }, lane));
}
