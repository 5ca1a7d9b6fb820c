import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clientAddress } from '#http/request/clientAddress.ts';
import { clientOf } from '#http/request/rateGate.ts';
import { readConfig } from '#src/config.ts';
import { SettingError } from '#src/settingValues.ts';
import { defineRoute } from '#http/route.ts';
import { startService } from '#test/http/support/service.ts';

const test = suite('http: where a client is');

const trusting = (text: string) => readConfig({ HOLDFAST_TRUSTED_PROXIES: text }).trustedProxies;
const proxies = trusting('10.0.0.0/8, 192.0.2.9,2001:db8:1::/48');

test('given nobody who is trusted, then what X-Forwarded-For says is nothing', () => {
  for (const forwarded of ['198.51.100.1', '127.0.0.1', '::1', '']) {
    assert.is(clientAddress('203.0.113.7', forwarded, []), '203.0.113.7');
    assert.is(clientAddress('203.0.113.7', forwarded, proxies), '203.0.113.7');
    assert.is(clientAddress('2001:db8:2::1', forwarded, proxies), '2001:db8:2::1');
  }
});

test('given trusted proxies, then the last address that is none of theirs is the client', () => {
  for (const [forwarded, client] of [
    ['198.51.100.1', '198.51.100.1'],
    ['198.51.100.1, 10.2.3.4', '198.51.100.1'],
    ['1.1.1.1, 198.51.100.1, 10.2.3.4,192.0.2.9', '198.51.100.1'],
    ['10.9.9.9, 198.51.100.1', '198.51.100.1'],
    ['127.0.0.1,198.51.100.1', '198.51.100.1'],
    ['  198.51.100.1\t', '198.51.100.1'],
    ['198.51.100.1:4711', '198.51.100.1'],
    ['2001:db8:2::a', '2001:db8:2::a'],
    ['2001:DB8:2:0:0:0:0:A', '2001:db8:2::a'],
    ['[2001:db8:2::a]:443', '2001:db8:2::a'],
    ['[2001:db8:2::a]', '2001:db8:2::a'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['198.51.100.1, ::ffff:10.0.0.1', '198.51.100.1'],
    ['198.51.100.1, 2001:db8:1::2', '198.51.100.1'],
    // All of them are trusted: the first began.
    ['10.7.7.7, 10.8.8.8', '10.7.7.7'],
  ] as const) {
    for (const peer of ['10.0.0.1', '::ffff:10.0.0.1', '2001:db8:1::1']) {
      assert.is(clientAddress(peer, forwarded, proxies), client, `${peer}: ${forwarded}`);
    }
  }
});

test('given a header that cannot be read, then the nearest proxy is the client', () => {
  for (const forwarded of [
    undefined,
    '',
    ',',
    'unknown',
    '_hidden',
    '198.51.100.1,',
    '198.51.100.1, x',
    '198.51.100.256',
    '198.51.100',
    '0x7f.0.0.1',
    '3325256705',
    '1.2.3.4:99999999',
    '[1.2.3.4',
    'fe80::1%eth0',
    '"198.51.100.1"',
    '198.51.100.1;10.0.0.1',
    '198.51.100.1/32',
    '１９８.51.100.1',
    'a'.repeat(15_000),
    ','.repeat(15_000),
  ]) {
    assert.is(clientAddress('10.0.0.1', forwarded, proxies), '10.0.0.1', forwarded);
  }
  assert.is(clientAddress('10.0.0.1', 'x, 10.0.0.2', proxies), '10.0.0.2');
});

test('given a socket of any kind, then an address in its shortest spelling', () => {
  assert.is(clientAddress('::ffff:203.0.113.7', undefined, []), '203.0.113.7');
  assert.is(clientAddress('fe80::1%eth0', undefined, []), 'fe80::1');
  assert.is(clientAddress('', '198.51.100.1', proxies), '');
});

test('given IPv6, then all of a /64 is one client, and a translated IPv4 address is its own', () => {
  assert.is(clientOf('203.0.113.7'), '203.0.113.7');
  assert.is(clientOf('2001:db8:1:2::1'), clientOf('2001:db8:1:2:ffff:ffff:ffff:ffff'));
  assert.is.not(clientOf('2001:db8:1:2::1'), clientOf('2001:db8:1:3::1'));
  assert.is(clientOf('2001:db8::1'), '2001:db8:0:0');
  assert.is(clientOf('2001:db8::1:2:3:4:5'), '2001:db8:0:1');
  assert.is(clientOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2');
  assert.is(clientOf('::1'), '0:0:0:0');
  assert.is(clientOf('1::'), '1:0:0:0');
  assert.is(clientOf('64:ff9b:1:2::1'), '64:ff9b:1:2');
  assert.is.not(clientOf('64:ff9b::c000:201'), clientOf('64:ff9b::c000:202'));
  assert.is(clientOf(''), '');
});

test('given a setting that names no network, then it is refused', () => {
  for (const text of [
    'proxy.example',
    '10.0.0.0/33',
    '::/129',
    '10/8',
    '10.0.0.0/',
    '10.0.0.1,',
    '::ffff:10.0.0.0/104x',
    '0x0a.0.0.0/8',
  ]) {
    assert.throws(
      () => trusting(text),
      (error: unknown) => error instanceof SettingError && error.message.includes('HOLDFAST_TRUSTED_PROXIES'),
      text,
    );
  }
  assert.equal(trusting(''), []);
});

const where = defineRoute({
  method: 'GET',
  path: '/where',
  summary: 'Say where the client is',
  tags: [],
  audits: { entity: 'token' },
  responses: { 200: null },
  handle: ({ address }) => Promise.resolve({ status: 200, body: address }),
});

test('given a trusted proxy, then routes and the audit log are told the address behind it', async () => {
  const service = await startService([where], { trustedProxies: trusting('127.0.0.1') });
  const headers = { 'X-Forwarded-For': '6.6.6.6, 198.51.100.1' };
  assert.is((await service.call('GET', '/where', { headers })).body, '198.51.100.1');
  assert.is(
    (await service.call('GET', '/where', { headers: { ...headers, 'BT-API-KEY': 'wrong' } })).status,
    401,
  );
  assert.equal(
    service.audit.entries.map(({ address }) => address),
    ['198.51.100.1', '198.51.100.1'],
  );
  // Two lines are one list.
  const raw = await service.raw(
    'GET /where HTTP/1.1\r\nHost: x\r\nConnection: close\r\nBT-API-KEY: key_test_private\r\n' +
      'X-Forwarded-For: 198.51.100.7\r\nx-forwarded-for: 198.51.100.8\r\n\r\n',
  );
  assert.match(raw, /"198\.51\.100\.8"/);
  await service.close();
});

test('given nobody who is trusted, then routes and the audit log are told where the connection comes from', async () => {
  const service = await startService([where]);
  const headers = {
    'X-Forwarded-For': '198.51.100.1',
    Forwarded: 'for=198.51.100.1',
    'X-Real-IP': '198.51.100.1',
  };
  assert.is((await service.call('GET', '/where', { headers })).body, '127.0.0.1');
  assert.equal(
    service.audit.entries.map(({ address }) => address),
    ['127.0.0.1'],
  );
  await service.close();
});

test.run();
