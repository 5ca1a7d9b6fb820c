import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; reactorId: string };

const types = suite<Context>('http: media types of errors');
const json = 'application/json; charset=utf-8';
const problemJson = 'application/problem+json';

types.before(async (context) => {
  context.service = await startVaultService();
  const { call, keys } = context.service;
  const code = "module.exports = async () => { throw new Error('no') };";
  const reactor = await call<{ id: string }>(
    'POST',
    '/reactors',
    { name: 'fails', code, configuration: {} },
    { key: keys.management },
  );
  context.reactorId = reactor.body.id;
});
types.after(({ service }) => service.close());

/** One request for each place where an error is made. */
const requests = ({
  service: { keys },
  reactorId,
}: Context): readonly [number, string, string, RequestInit][] => {
  const key = { 'BT-API-KEY': keys.private };
  const sent = { ...key, 'Content-Type': 'application/json' };
  return [
    [400, 'POST', '/tokens', { headers: sent, body: '{' }],
    [400, 'GET', '/%zz', {}],
    [401, 'GET', '/tokens', {}],
    [403, 'GET', '/applications', { headers: key }],
    [404, 'GET', '/tokens/none', { headers: key }],
    [404, 'GET', '/nothing', {}],
    [405, 'PUT', '/tokens', {}],
    [413, 'POST', '/tokens', { headers: sent, body: JSON.stringify('x'.repeat(1_100_000)) }],
    [415, 'POST', '/tokens', { headers: { ...key, 'Content-Type': 'text/plain' }, body: 'x' }],
    [500, 'POST', `/reactors/${reactorId}/react`, { headers: sent, body: '{}' }],
  ];
};

async function typeOf(
  { service }: Context,
  [status, method, path, init]: readonly [number, string, string, RequestInit],
  accept?: string,
): Promise<string | null> {
  const headers = {
    ...(init.headers as Record<string, string>),
    ...(accept === undefined ? {} : { accept }),
  };
  const response = await fetch(`${service.url}${path}`, { ...init, method, headers });
  const body = (await response.json()) as { status: number };
  assert.equal([response.status, body.status], [status, status], `${method} ${path}`);
  return response.headers.get('content-type');
}

types('given callers who do not name another type, then errors are application/json', async (context) => {
  for (const request of requests(context)) {
    for (const accept of [undefined, '*/*', 'application/json', 'application/*', `${problemJson};q=0, */*`]) {
      assert.is(await typeOf(context, request, accept), json, `${request[2]}, accept: ${accept}`);
    }
  }
});

types('given callers who name application/problem+json, then errors are that', async (context) => {
  for (const request of requests(context)) {
    for (const accept of [problemJson, `application/json, Application/Problem+JSON;q=0.9`]) {
      assert.is(await typeOf(context, request, accept), problemJson, `${request[2]}, accept: ${accept}`);
    }
  }
});

types(
  'given an error of a proxy, which is put into another object, then it is application/json',
  async (context) => {
    const { service } = context;
    const response = await fetch(`${service.url}/proxy`, { headers: { accept: problemJson } });
    assert.equal([response.status, response.headers.get('content-type')], [401, json]);
    assert.ok('proxy_error' in ((await response.json()) as object));
  },
);

types(
  'given an asynchronous run that failed, then its result has the type of errors',
  async ({ service, reactorId }) => {
    type Asked = { asyncReactorRequestId: string };
    const asked = await service.call<Asked>('POST', `/reactors/${reactorId}/react-async`, {});
    const path = `/reactors/${reactorId}/results/${asked.body.asyncReactorRequestId}`;
    await until(async () => (await service.call('GET', path)).status !== 404);
    const reply = await service.call('GET', path);
    assert.equal([reply.status, reply.headers.get('content-type')], [500, json]);
  },
);

types.run();
