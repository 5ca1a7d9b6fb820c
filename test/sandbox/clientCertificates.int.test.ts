import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeCertificate } from '#test/outbound/support/certificates.ts';
import { reachingLoopback } from '#test/outbound/support/guard.ts';
import { authority, serveTls } from '#test/outbound/support/servers.ts';
import type { TestServer } from '#test/outbound/support/servers.ts';
import { startSandbox } from '#test/sandbox/hostile/support/sandboxes.ts';
import type { TestSandbox } from '#test/sandbox/hostile/support/sandboxes.ts';
import type { Outbound } from '#ports/outbound.ts';

const test = suite<{ server: TestServer; outbound: Outbound; sandbox: TestSandbox }>('client certificates');

const clients = makeCertificate({ hosts: [], authority: true });
const { certificate: cert, key } = makeCertificate({ hosts: ['client.example'], issuer: clients });
const other = makeCertificate({ hosts: ['other-client.example'], issuer: clients });
const stranger = makeCertificate({ hosts: ['stranger.example'] });
const passphrase = 'secret of the key';
const encrypted = createPrivateKey(key)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
  .toString();

test.before(async (context) => {
  context.server = await serveTls(
    (request, response) => {
      response.end((request.socket as TLSSocket).getPeerCertificate().subjectaltname);
    },
    undefined,
    clients,
  );
  context.outbound = reachingLoopback();
  context.sandbox = startSandbox({ outbound: context.outbound });
});
test.after(async ({ server, outbound, sandbox }) => {
  await sandbox.close();
  await outbound.close();
  await server.close();
});

/** Each way to name a certificate, and what came of it: the host's answer, or the code of the failure. */
const calling = `
  const https = require('https'), fetch = require('node-fetch'), axios = require('axios');
  const read = (options) => new Promise((done, fail) => {
    https.request(options, (r) => { let text = ''; r.on('data', (d) => text += d); r.on('end', () => done(text)) }).on('error', fail).end();
  });
  const by = {
    request: (url, tls) => read({ hostname: new URL(url).hostname, port: new URL(url).port, path: '/', ...tls }),
    agent: (url, tls) => read({ hostname: new URL(url).hostname, port: new URL(url).port, agent: new https.Agent(tls) }),
    axios: (url, tls) => axios.get(url, { httpsAgent: new https.Agent({ keepAlive: true, ...tls }) }).then((r) => r.data),
    fetch: (url, tls) => fetch(url, { agent: https.Agent(tls) }).then((r) => r.text()),
  };
  module.exports = async ({ args: { way, url, tls } }) => {
    try { return { raw: await by[way](url, tls) } } catch (error) { return { raw: { code: error.code, message: error.message } } }
  };`;

type Failure = { code: string; message: string };
type Called = { sandbox: TestSandbox; server: TestServer };
const call = async (
  { sandbox, server }: Called,
  tls: object,
  { way = 'agent', host = 'shop.example', tenant = 'tenant' } = {},
): Promise<unknown> => sandbox.rawOf(calling, { way, url: `https://${host}:${server.port}/`, tls }, tenant);

for (const way of ['request', 'agent', 'axios', 'fetch']) {
  test(`given a host that demands a certificate, when code names one by ${way}, then the host sees it`, async (context) => {
    assert.is(await call(context, { cert, key }, { way }), 'DNS:client.example');
    assert.is(
      await call(context, { cert: [cert], key: encrypted, passphrase }, { way }),
      'DNS:client.example',
    );
    assert.is(((await call(context, {}, { way })) as Failure).code, 'ECONNREFUSED');
  });
}

test('given other spellings of a key, then they are read as in Node', async (context) => {
  for (const named of [[{ pem: encrypted, passphrase }], [key], { pem: key }]) {
    assert.is(await call(context, { cert, key: named }), 'DNS:client.example');
  }
  const body = `
    const https = require('https'), crypto = require('crypto');
    const { cert, key, port } = args;
    const agent = new https.Agent({ cert: Buffer.from(cert), key: crypto.createPrivateKey(key) });
    return new Promise((done, fail) => https.get({ host: 'shop.example', port, agent }, (r) => { r.on('data', (d) => done(String(d))) }).on('error', fail));`;
  const { sandbox, server } = context;
  const code = `module.exports = async ({ args }) => ({ raw: await (async () => { ${body} })() })`;
  assert.is(await sandbox.rawOf(code, { cert, key, port: server.port }), 'DNS:client.example');
});

test('given several certificates, then none is shown where another was named', async (context) => {
  const asked = await Promise.all([
    call(context, { cert, key }),
    call(context, { cert: other.certificate, key: other.key }),
    call(context, { cert, key }, { tenant: 'another' }),
    call(context, {}),
  ]);
  assert.equal(asked.slice(0, 3), ['DNS:client.example', 'DNS:other-client.example', 'DNS:client.example']);
  assert.is((asked[3] as Failure).code, 'ECONNREFUSED');
  const unknown = await call(context, { cert: stranger.certificate, key: stranger.key });
  assert.is((unknown as Failure).code, 'ECONNREFUSED');
});

test('given what is no certificate, then it says so, and nothing of the key', async (context) => {
  const { privateKey } = generateKeyPairSync('dsa', { modulusLength: 1_024, divisorLength: 160 });
  const dsa = privateKey.export({ type: 'pkcs8', format: 'pem' });
  for (const [tls, expected] of [
    [{ cert }, 'ERR_INVALID_ARG_VALUE'],
    [{ key }, 'ERR_INVALID_ARG_VALUE'],
    [{ cert: [cert, cert], key }, 'ERR_INVALID_ARG_VALUE'],
    [{ cert: 7, key }, 'ERR_INVALID_ARG_TYPE'],
    [{ cert, key: other.key }, 'ERR_TLS_INVALID_CONTEXT'],
    [{ cert: 'none', key }, 'ERR_TLS_INVALID_CONTEXT'],
    [{ cert: cert.repeat(200), key }, 'ERR_TLS_INVALID_CONTEXT'],
    [{ cert, key: dsa }, 'ERR_TLS_INVALID_CONTEXT'],
    [{ cert, key, ca: 'none' }, undefined],
    [{ pfx: 'x' }, 'ERR_FEATURE_UNAVAILABLE'],
    [{ cert, key: encrypted }, undefined],
    [{ cert, key: encrypted, passphrase: 'wrong' }, undefined],
  ] as const) {
    const failed = (await call(context, tls)) as Failure;
    assert.type(failed, 'object', JSON.stringify(failed));
    if (expected !== undefined) assert.is(failed.code, expected, failed.message);
    assert.not.match(failed.message, /PRIVATE|BEGIN/);
  }
});

test('given an authority that code names, then it is trusted in place of all others', async (context) => {
  const own = await serveTls(
    (_, response) => response.end('own'),
    makeCertificate({ hosts: ['shop.example'], issuer: clients }),
  );
  try {
    const toOwn = { sandbox: context.sandbox, server: own };
    assert.is(await call(toOwn, { ca: clients.certificate }), 'own');
    assert.is(await call(toOwn, { ca: [clients.certificate, stranger.certificate] }), 'own');
    const codes: string[] = [];
    for (const tls of [
      {},
      { rejectUnauthorized: false },
      { ca: authority.certificate, rejectUnauthorized: false },
    ]) {
      codes.push(((await call(toOwn, tls)) as Failure).code);
    }
    assert.equal(
      codes,
      Array.from({ length: 3 }, () => 'ERR_TLS_CERT_ALTNAME_INVALID'),
    );
    const misnamed = (await call(toOwn, { ca: clients.certificate }, { host: 'other.example' })) as Failure;
    assert.is(misnamed.code, 'ERR_TLS_CERT_ALTNAME_INVALID');
    assert.is(own.seen.length, 2);
  } finally {
    await own.close();
  }
});

test('given a certificate, then addresses are guarded as ever', async (context) => {
  for (const host of ['127.0.0.1', 'localhost', '10.0.0.1', '169.254.169.254', '[::1]']) {
    const failed = (await call(
      context,
      { cert, key, ca: clients.certificate },
      { host, way: 'axios' },
    )) as Failure;
    assert.is(failed.code, 'EACCES', host);
  }
});

test('given a host that did not prepare for it, when it breaks what TLS is given, then nothing is sent', async ({
  outbound,
  server,
}) => {
  const before = server.seen.length;
  const request = {
    tenantId: 'tenant',
    url: `https://shop.example:${server.port}/`,
    tls: { cert, key: encrypted },
  };
  const failed = await outbound.send(request).catch((error: unknown) => error as { reason?: string });
  assert.is('reason' in failed && failed.reason, 'certificate');
  assert.is(server.seen.length, before);
});

test.run();
