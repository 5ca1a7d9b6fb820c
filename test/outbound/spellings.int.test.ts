import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { exceptionsOf, fakeResolver, outcomeOf, reachingLoopback } from '#test/outbound/support/guard.ts';
import { serveTcp } from '#test/outbound/support/servers.ts';
import { oddHosts, oddUrls, spellingsOf } from '#test/outbound/support/spellings.ts';

const test = suite('outbound: spellings');

const octets = {
  loopback: [127, 0, 0, 1],
  metadata: [169, 254, 169, 254],
  private: [10, 1, 2, 3],
} as const;
const hosts = [...Object.values(octets).flatMap(spellingsOf), ...oddHosts];

/** Refused for what it is, not because it could not be reached. */
const refusals = ['address', 'url', 'scheme'].map((reason) => `OutboundRefused ${reason}`);

test('given forbidden addresses in every spelling, when they are called, then nothing is resolved or connected', async () => {
  const server = await serveTcp((socket) => socket.end());
  const resolver = fakeResolver({});
  // Were a check missing, the connection would come to the server that counts.
  const outbound = reachingLoopback({ resolver });
  const urls = [
    ...hosts.flatMap((host) => [`https://${host}:${server.port}/`, `http://${host}:${server.port}/`]),
    ...oddUrls(server.port),
  ];
  assert.ok(new Set(hosts).size > 500, `${new Set(hosts).size} hosts`);
  const outcomes = await Promise.all(
    urls.map(async (url) => ({ url, outcome: await outcomeOf(outbound, { url }) })),
  );
  assert.equal(
    outcomes.filter(({ outcome }) => !refusals.includes(outcome)),
    [],
  );
  assert.equal(resolver.asked, []);
  assert.is(server.connections(), 0);
  await outbound.close();
  await server.close();
});

test('given every spelling of loopback, when an exception opens it, then each leads to the same server', async () => {
  const server = await serveTcp(
    (socket) => socket.once('data', () => socket.end('HTTP/1.1 204 \r\n\r\n')),
    '127.0.0.1',
  );
  const outbound = reachingLoopback({ exceptions: exceptionsOf('127.0.0.1'), resolver: fakeResolver({}) });
  for (const host of spellingsOf(octets.loopback)) {
    assert.is(await outcomeOf(outbound, { url: `http://${host}:${server.port}/` }), '204 ', host);
  }
  await outbound.close();
  await server.close();
});

test.run();
