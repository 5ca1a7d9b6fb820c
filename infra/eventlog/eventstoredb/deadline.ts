import { setTimeout as sleep } from 'node:timers/promises';
import { NotLeaderError } from '@eventstore/db-client';
import type { Connection } from '#infra/eventlog/eventstoredb/connection.ts';
import { readFailure } from '#infra/eventlog/eventstoredb/failure.ts';
import { LogUnavailable } from '#ports/eventLog.ts';

/** One try of a call may take so long, discovery included, in milliseconds. */
export const tryTime = 4_000;
/** What is left of it after a slow discovery is at least this. */
const leastTime = 500;
/** The client takes the address of a new leader after the call that told it. */
const redirection = 20;

/**
 * Waits for a node to talk to, which is where the client sets no deadline: nothing is sent before.
 * @returns how long the call itself may take, in milliseconds
 * @throws LogUnavailable
 */
export async function connected({ client }: Connection): Promise<number> {
  const begun = performance.now();
  const late = new AbortController();
  const tooLate = sleep(tryTime, undefined, { signal: late.signal }).then(() => {
    throw new LogUnavailable(`the event log cannot be reached: no node was found in ${tryTime} ms`);
  });
  try {
    await Promise.race([client.connected(), tooLate]);
  } catch (error) {
    throw readFailure(error);
  } finally {
    late.abort();
    tooLate.catch(() => undefined);
  }
  return Math.max(leastTime, Math.ceil(tryTime - (performance.now() - begun)));
}

/** Once more at the leader, when another node was asked and told who leads. */
export async function atLeader<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const told = error instanceof Error && error.cause instanceof NotLeaderError;
    if (!told) throw error;
    await sleep(redirection);
    return call();
  }
}
