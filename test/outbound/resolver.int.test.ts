import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSystemResolver } from '#infra/outbound/resolver.ts';
import { outcomeOf, reachingLoopback } from '#test/outbound/support/guard.ts';
import { startNameServer } from '#test/outbound/support/nameServer.ts';
import type { NameServer } from '#test/outbound/support/nameServer.ts';
import { serveTls } from '#test/outbound/support/servers.ts';
import { until } from '#test/support/until.ts';

type Context = { names: NameServer };
const test = suite<Context>('outbound: the resolver');

test.before.each(async (context) => {
  context.names = await startNameServer({
    'shop.example': ['8.8.8.8', '2606:4700::1'],
    'four.example': ['8.8.8.8'],
    'inside.example': ['8.8.8.8', 'fd00::1'],
  });
});
test.after.each(({ names }) => names.close());

test('given a name with addresses of both families, then all are found, and each family is asked for once', async ({
  names,
}) => {
  const resolver = createSystemResolver([names.at]);
  const { signal } = new AbortController();
  assert.equal(await resolver.resolve('shop.example', signal), ['8.8.8.8', '2606:4700::1']);
  assert.equal(names.asked.sort(), ['A shop.example', 'AAAA shop.example']);
  assert.equal(await resolver.resolve('four.example', signal), ['8.8.8.8']);
  assert.equal(await resolver.resolve('nowhere.example', signal), []);
});

test('given a name of the hosts file, then tenants do not reach it, and the operator does', async ({
  names,
}) => {
  const resolver = createSystemResolver([names.at]);
  assert.ok(
    (await resolver.resolveHere('localhost')).some((address) => /^(127\.0\.0\.1|::1)$/.test(address)),
  );
  assert.equal(await resolver.resolveHere('nowhere.invalid'), []);
  // A name of one label is asked for as it is: no search domain makes another of it.
  await resolver.resolve('database', new AbortController().signal);
  assert.equal(names.asked.sort(), ['A database', 'AAAA database']);
});

test('given a name server that is silent, when the call is given up, then so is the question', async ({
  names,
}) => {
  const giving = new AbortController();
  const resolving = createSystemResolver([names.at]).resolve('silent.example', giving.signal);
  await until(() => names.asked.length === 2);
  giving.abort();
  assert.equal(await resolving, []);
  assert.is(names.asked.length, 2);
});

test('given a name server, when calls are made, then its answers are checked', async ({ names }) => {
  const server = await serveTls((_, response) => response.end('reached'));
  const outbound = reachingLoopback({ resolver: createSystemResolver([names.at]) });
  const call = (name: string) => outcomeOf(outbound, { url: `https://${name}:${server.port}/` });
  assert.is(await call('shop.example'), '200 reached');
  assert.is(await call('inside.example'), 'OutboundRefused address');
  assert.is(await call('nowhere.example'), 'OutboundUnreachable name');
  assert.is(server.connections(), 1);
  await outbound.close();
  await server.close();
});

test.run();
