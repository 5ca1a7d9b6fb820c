import autocannon from 'autocannon';
import type { Asked } from '#bench/processes/latency.ts';
import { answerProcess } from '#bench/support/process.ts';
import { cardNumbers } from '#bench/support/cards.ts';

export type LoadOrder = {
  url: string;
  key?: string;
  /** How long, or, for a whole number of requests, how many. */
  until: { seconds: number } | { requests: number };
  connections: number;
  /** Requests a second, of all connections together; by default as many as are answered. */
  rate?: number;
  /**
   * `create` posts cards of their own, one at a time; `tokenize` a hundred at a time, on demand with metadata and a
   * search index; `read` gets these paths in turn, `ask` sends these requests in turn.
   */
  what:
    | { create: { firstCard: number } }
    | { tokenize: { firstCard: number; indexed: boolean } }
    | { read: readonly string[] }
    | { ask: readonly Asked[] };
};

export type Load = {
  perSecond: number;
  seconds: number;
  acknowledged: string[];
  failed: number;
  p50: number;
  p99: number;
};

/** Drives an HTTP server from a process of its own, and remembers what it was told. */
await answerProcess<LoadOrder, Load>(async ({ url, key, until, connections, rate, what }) => {
  const acknowledged: string[] = [];
  const headers = {
    ...(key === undefined ? {} : { 'BT-API-KEY': key }),
    ...('read' in what ? {} : { 'Content-Type': 'application/json' }),
  };
  const extent = 'seconds' in until ? { duration: until.seconds } : { amount: until.requests };
  const result = await autocannon({
    url,
    connections,
    ...extent,
    ...(rate === undefined ? {} : { overallRate: rate }),
    headers,
    requests: [requestOf(what, acknowledged)],
  });
  return {
    perSecond: result['2xx'] / result.duration,
    seconds: result.duration,
    acknowledged,
    failed: result.non2xx + result.errors + result.timeouts,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
});

function requestOf(what: LoadOrder['what'], acknowledged: string[]): autocannon.Request {
  if ('create' in what) return creating(what.create.firstCard, acknowledged);
  if ('ask' in what) return asking(what.ask);
  return 'tokenize' in what ? tokenizing(what.tokenize) : reading(what.read);
}

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

function tokenizing({ firstCard, indexed }: { firstCard: number; indexed: boolean }): autocannon.Request {
  const number = cardNumbers(firstCard);
  let next = firstCard;
  const card = () => ({
    type: 'card',
    data: { number: number(), expiration_month: 12, expiration_year: 2030, cvc: '123' },
    ...(indexed ? { metadata: { order: `order ${next++}` }, search_indexes: ['{{ data.number }}'] } : {}),
  });
  return {
    method: 'POST',
    path: '/tokenize',
    setupRequest: (request) => ({ ...request, body: JSON.stringify(Array.from({ length: 100 }, card)) }),
  };
}

function asking(asked: readonly Asked[]): autocannon.Request {
  let next = 0;
  return {
    setupRequest: (request) => {
      const { method, path, body, key } = asked[next++ % asked.length] ??
        asked[0] ?? { method: 'GET', path: '/' };
      const headers = { ...request.headers, ...(key === undefined ? {} : { 'BT-API-KEY': key }) };
      return { ...request, method, path, headers, ...(body === undefined ? {} : { body }) };
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
