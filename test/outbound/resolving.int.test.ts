import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  exceptionsOf,
  fakeResolver,
  outcomeOf,
  publicAddress,
  reachingLoopback,
} from '#test/outbound/support/guard.ts';
import { serveTls } from '#test/outbound/support/servers.ts';
import type { TestServer } from '#test/outbound/support/servers.ts';

type Context = { server: TestServer };
const test = suite<Context>('outbound: resolving');

test.before.each(async (context) => {
  context.server = await serveTls((_, response) => response.end('reached'));
});
test.after.each(({ server }) => server.close());

const answers = (names: Parameters<typeof fakeResolver>[0]) => {
  const resolver = fakeResolver(names);
  const reached: string[] = [];
  const outbound = reachingLoopback({
    resolver,
    reach: (address) => {
      reached.push(address);
      return '127.0.0.1';
    },
  });
  return { resolver, reached, outbound };
};

test('given a name that is public first and loopback then, when it is called, then only the first counts', async ({
  server,
}) => {
  const { resolver, reached, outbound } = answers({ 'shop.example': [[publicAddress], ['127.0.0.1']] });
  const url = `https://shop.example:${server.port}/`;
  assert.is(await outcomeOf(outbound, { url }), '200 reached');
  assert.equal(resolver.asked, ['shop.example']);
  assert.equal(reached, [publicAddress]);
  assert.is(await outcomeOf(outbound, { url }), 'OutboundRefused address');
  assert.is(server.connections(), 1);
  await outbound.close();
});

test('given a resolver that changes its mind all the time, when one name is called at once, then each call is pinned', async ({
  server,
}) => {
  const flips = Array.from({ length: 40 }, (_, index) => [index % 2 === 0 ? publicAddress : '127.0.0.1']);
  const { reached, outbound } = answers({ 'shop.example': flips });
  const outcomes = await Promise.all(
    flips.map(() => outcomeOf(outbound, { url: `https://shop.example:${server.port}/` })),
  );
  assert.is(outcomes.filter((outcome) => outcome === '200 reached').length, 20);
  assert.is(outcomes.filter((outcome) => outcome === 'OutboundRefused address').length, 20);
  assert.equal(new Set(reached), new Set([publicAddress]));
  await outbound.close();
});

test('given several addresses of which one is private, then none is called, wherever it stands', async ({
  server,
}) => {
  const { outbound } = answers({
    'first.example': ['10.0.0.1', publicAddress, '1.1.1.1'],
    'last.example': [publicAddress, '2606:4700::1', 'fd00::1'],
    'mapped.example': [publicAddress, '::ffff:8.8.8.8'],
    'zone.example': [publicAddress, '2606:4700::1%eth0'],
    'odd.example': ['0177.0.0.1'],
  });
  for (const name of ['first', 'last', 'mapped', 'zone', 'odd']) {
    const outcome = await outcomeOf(outbound, { url: `https://${name}.example:${server.port}/` });
    assert.is(outcome, 'OutboundRefused address', name);
  }
  assert.is(server.connections(), 0);
  await outbound.close();
});

test('given names for every kind of private address, then none is called', async ({ server }) => {
  const { outbound } = answers(
    Object.fromEntries(
      [
        '127.0.0.1',
        '10.1.2.3',
        '169.254.169.254',
        '100.64.0.1',
        '0.0.0.0',
        '::1',
        '::',
        'fe80::1',
        '64:ff9b::7f00:1',
      ].map((address, index) => [`name-${index}.example`, [address]]),
    ),
  );
  for (let index = 0; index < 9; index++) {
    const outcome = await outcomeOf(outbound, { url: `https://name-${index}.example:${server.port}/` });
    assert.is(outcome, 'OutboundRefused address');
  }
  assert.is(server.connections(), 0);
  await outbound.close();
});

test('given a name without an address, then it is unreachable; given one of localhost, then nobody is asked', async ({
  server,
}) => {
  const { outbound, resolver } = answers({});
  assert.is(
    await outcomeOf(outbound, { url: `https://nowhere.example:${server.port}/` }),
    'OutboundUnreachable name',
  );
  assert.is(
    await outcomeOf(outbound, { url: `https://a.LocalHost:${server.port}/` }),
    'OutboundRefused address',
  );
  assert.equal(resolver.asked, ['nowhere.example']);
  await outbound.close();
});

test('given addresses of which the first takes no connection, then the next does, and the name is asked for once', async ({
  server,
}) => {
  const resolver = fakeResolver({ 'shop.example': ['1.1.1.1', publicAddress] });
  const outbound = reachingLoopback({
    resolver,
    // Nothing listens on this address of the loopback network.
    reach: (address) => (address === '1.1.1.1' ? '127.99.99.99' : '127.0.0.1'),
  });
  const url = `https://shop.example:${server.port}/`;
  assert.is(await outcomeOf(outbound, { url, method: 'POST', body: Buffer.from('once') }), '200 reached');
  assert.equal(resolver.asked, ['shop.example']);
  assert.equal(
    server.seen.map(({ body }) => body),
    ['once'],
  );
  await outbound.close();
});

test('given a resolver that never answers, then the time of the call ends it', async ({ server }) => {
  const never = (): Promise<string[]> => new Promise(() => undefined);
  const outbound = reachingLoopback({
    resolver: { resolve: never, resolveHere: never },
    exceptions: exceptionsOf('here.example'),
    limits: { totalMilliseconds: 50 },
  });
  for (const name of ['shop', 'here']) {
    const outcome = await outcomeOf(outbound, { url: `https://${name}.example:${server.port}/` });
    assert.is(outcome, 'OutboundTimedOut total');
  }
  await outbound.close();
});

test.run();
