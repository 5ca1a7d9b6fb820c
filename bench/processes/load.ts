import autocannon from 'autocannon';
import { answerProcess } from '#bench/support/process.ts';
import { cardNumbers } from '#bench/support/cards.ts';

export type LoadOrder = {
  url: string;
  key?: string;
  seconds: number;
  connections: number;
  /** `create` posts cards of their own; `read` gets these paths in turn. */
  what: { create: { firstCard: number } } | { read: readonly string[] };
};

export type Load = { perSecond: number; acknowledged: string[]; failed: number; p50: number; p99: number };

/** Drives an HTTP server from a process of its own, and remembers what it was told. */
await answerProcess<LoadOrder, Load>(async ({ url, key, seconds, connections, what }) => {
  const acknowledged: string[] = [];
  const headers = {
    ...(key === undefined ? {} : { 'BT-API-KEY': key }),
    ...('create' in what ? { 'Content-Type': 'application/json' } : {}),
  };
  const request = 'create' in what ? creating(what.create.firstCard, acknowledged) : reading(what.read);
  const result = await autocannon({ url, connections, duration: seconds, headers, requests: [request] });
  return {
    perSecond: result['2xx'] / result.duration,
    acknowledged,
    failed: result.non2xx + result.errors + result.timeouts,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
});

function creating(firstCard: number, acknowledged: string[]): autocannon.Request {
  const number = cardNumbers(firstCard);
  return {
    method: 'POST',
    path: '/tokens',
    setupRequest: (request) => ({
      ...request,
      body: JSON.stringify({
        type: 'card',
        data: { number: number(), expiration_month: 12, expiration_year: 2030, cvc: '123' },
      }),
    }),
    onResponse: (status, body) => {
      if (status === 201) acknowledged.push(body.slice(7, 43));
    },
  };
}

function reading(paths: readonly string[]): autocannon.Request {
  let next = 0;
  return {
    method: 'GET',
    setupRequest: (request) => ({ ...request, path: paths[next++ % paths.length] ?? '/' }),
  };
}
