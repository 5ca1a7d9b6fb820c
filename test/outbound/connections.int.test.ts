import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Outbound } from '#ports/outbound.ts';
import { makeCertificate } from '#test/outbound/support/certificates.ts';
import {
  exceptionsOf,
  fakeResolver,
  outcomeOf,
  publicAddress,
  reachingLoopback,
} from '#test/outbound/support/guard.ts';
import { authority, serveHttp, serveTcp, serveTls } from '#test/outbound/support/servers.ts';
import type { TestServer } from '#test/outbound/support/servers.ts';
import { until } from '#test/support/until.ts';

type Context = { server: TestServer; url: string; outbound: Outbound };
const test = suite<Context>('outbound: connections');

test.before.each(async (context) => {
  context.server = await serveTls((_, response) => response.end('done'));
  context.url = `https://shop.example:${context.server.port}/`;
  context.outbound = reachingLoopback();
});
test.after.each(async ({ server, outbound }) => {
  await outbound.close();
  await server.close();
});

test('given certificates that are not valid for the host, then nothing is sent', async () => {
  const issuer = authority;
  const stranger = makeCertificate({ hosts: [], authority: true });
  const hour = 3_600_000;
  const cases = {
    itself: makeCertificate({ hosts: ['shop.example'] }),
    stranger: makeCertificate({ hosts: ['shop.example'], issuer: stranger }),
    expired: makeCertificate({ hosts: ['shop.example'], issuer, expires: new Date(Date.now() - hour) }),
    otherName: makeCertificate({ hosts: ['other.example'], issuer }),
    addressOnly: makeCertificate({ hosts: ['8.8.8.8', '127.0.0.1'], issuer }),
  };
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  for (const [name, certificate] of Object.entries(cases)) {
    const server = await serveTls((_, response) => response.end('told'), certificate);
    for (const setting of ['1', '0']) {
      process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = setting;
      const outbound = reachingLoopback();
      const outcome = await outcomeOf(outbound, { url: `https://shop.example:${server.port}/` });
      assert.is(outcome, 'OutboundUnreachable certificate', name);
      await outbound.close();
    }
    assert.is(server.seen.length, 0);
    await server.close();
  }
  if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
});

test('given public addresses instead of names, then their certificates count as well', async ({
  server,
  outbound,
}) => {
  for (const host of ['8.8.8.8', '134744072', '[2606:4700::1]', 'SHOP.example.']) {
    assert.is(await outcomeOf(outbound, { url: `https://${host}:${server.port}/` }), '200 done', host);
  }
  const url = `https://1.1.1.1:${server.port}/`;
  assert.is(await outcomeOf(outbound, { url }), 'OutboundUnreachable certificate');
});

test('given variables that name a proxy, then it is not used', async ({ url, server }) => {
  const proxy = await serveTcp((socket) => socket.end());
  const names = [
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'http_proxy',
    'https_proxy',
    'all_proxy',
    'NODE_USE_ENV_PROXY',
  ];
  for (const name of names) {
    process.env[name] = name.startsWith('NODE') ? '1' : `http://127.0.0.1:${proxy.port}`;
  }
  const outbound = reachingLoopback();
  assert.is(await outcomeOf(outbound, { url }), '200 done');
  assert.is(proxy.connections(), 0);
  assert.is(server.connections(), 1);
  for (const name of names) Reflect.deleteProperty(process.env, name);
  await outbound.close();
  await proxy.close();
});

test('given calls one after the other, then connections are used again by their tenant and by no other', async ({
  server,
  url,
  outbound,
}) => {
  const call = (tenantId: string) => outbound.send({ tenantId, url });
  for (let time = 0; time < 10; time++) await call('one');
  const kept = server.connections();
  assert.ok(kept < 5, `${kept} connections`);
  await call('two');
  assert.is(server.connections(), kept + 1);
});

test('given more origins than are kept, then calls still succeed, and none after closing', async () => {
  const server = await serveHttp((_, response) => response.end('done'));
  const outbound = reachingLoopback({ exceptions: exceptionsOf('127.0.0.1') });
  const url = `http://127.0.0.1:${server.port}/`;
  for (let tenant = 0; tenant < 300; tenant++) {
    assert.is((await outbound.send({ tenantId: `tenant ${tenant}`, url })).status, 200);
  }
  assert.is(server.connections(), 300);
  // Sooner than idle connections end by themselves.
  await until(() => server.open() <= 256, 2_000);
  await outbound.close();
  await until(() => server.open() === 0);
  assert.is(await outcomeOf(outbound, { url }), 'OutboundUnreachable closed');
  await server.close();
});

test('given a call under way, when the client is closed, then it is answered first', async () => {
  const released = Promise.withResolvers<undefined>();
  const arrived = Promise.withResolvers<undefined>();
  const server = await serveTls((_, response) => {
    arrived.resolve(undefined);
    void released.promise.then(() => response.end('late'));
  });
  const outbound = reachingLoopback();
  const calling = outcomeOf(outbound, { url: `https://shop.example:${server.port}/` });
  await arrived.promise;
  const closing = outbound.close();
  released.resolve(undefined);
  assert.is(await calling, '200 late');
  await closing;
  await server.close();
});

test('given a connection that ends elsewhere than at the checked address, then nothing is sent', async ({
  server,
  url,
}) => {
  const outbound = reachingLoopback({ reach: () => 'localhost' });
  assert.is(await outcomeOf(outbound, { url }), 'OutboundUnreachable connection');
  assert.is(server.seen.length, 0);
  await outbound.close();
});

test('given a host that breaks off, when it has more addresses, then the request is not sent again', async () => {
  const server = await serveTls((request) => request.socket.destroy());
  const outbound = reachingLoopback({
    resolver: fakeResolver({ 'shop.example': [publicAddress, '1.1.1.1'] }),
  });
  const url = `https://shop.example:${server.port}/`;
  assert.is(await outcomeOf(outbound, { url }), 'OutboundUnreachable connection');
  assert.is(server.seen.length, 1);
  await outbound.close();
  await server.close();
});

test.run();
