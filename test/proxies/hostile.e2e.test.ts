import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Logger } from '#ports/logger.ts';
import { oddHosts, oddUrls, spellingsOf } from '#test/outbound/support/spellings.ts';
import {
  card,
  create,
  createCard,
  createToken,
  errorOf,
  json,
  manage,
  post,
  send,
  startProxying,
  stopProxying,
} from '#test/proxies/support/proxies.ts';
import { rawRequest } from '#test/proxies/support/rawRequest.ts';
import type { Context } from '#test/proxies/support/proxies.ts';

const hostile = suite<Context>('hostile use of proxies');

/** Everything that the service writes down while it serves. */
const logged: string[] = [];
const write = (...given: unknown[]): void => {
  logged.push(JSON.stringify(given));
};
const logger: Logger = { debug: write, info: write, warn: write, error: write };

hostile.before(async (context) => {
  Object.assign(context, await startProxying({ logger }));
});
hostile.after(stopProxying);
hostile.before.each(({ destination }) => {
  destination.reset();
});

hostile('given spellings of addresses within the network, then none is called', async () => {
  const context = await startProxying({ environment: { HOLDFAST_OUTBOUND_ALLOW: '' } });
  const { service, destination } = context;
  const port = Number(new URL(destination.url).port);
  const addresses = [...spellingsOf([127, 0, 0, 1]), ...spellingsOf([169, 254, 169, 254])];
  const hosts = [...addresses, '[::ffff:127.0.0.1]', '[::1]', ...oddHosts];
  const urls = hosts.flatMap((host) => [`https://${host}:${port}/`, `http://${host}:${port}/`]);
  const sendable = [...urls, ...oddUrls(port)].filter((url) => /^[\x21-\x7e]+$/.test(url));
  assert.ok(sendable.length > 300, String(sendable.length));
  try {
    for (const url of sendable) {
      const headers = { 'BT-PROXY-URL': url };
      const reply = await send(context, '/proxy', { key: service.keys.private, headers });
      assert.is(reply.status, 400, `${url}: ${reply.status} ${reply.text}`);
    }
    assert.is(destination.seen.length, 0);
  } finally {
    await stopProxying(context);
  }
});

hostile('given a redirect, then it is handed on, and nobody follows', async (context) => {
  context.destination.answer = (response) => {
    response.writeHead(302, { Location: 'http://169.254.169.254/latest/' }).end();
  };
  const reply = await post(context, {});
  assert.equal([reply.status, reply.headers.get('location')], [302, 'http://169.254.169.254/latest/']);
  assert.is(context.destination.seen.length, 1);
});

hostile('given a path that leads up, then it is refused before anybody is asked', async (context) => {
  const { service, destination } = context;
  const { key } = await create(context, {
    destination_url: `${destination.url}/only/here`,
    require_auth: false,
  });
  const statusOf = async (path: string): Promise<number> => {
    const lines = [`GET ${path} HTTP/1.1`, 'Host: x', `BT-PROXY-KEY: ${key}`, 'Connection: close'];
    return Number((await rawRequest(service, lines)).slice(9, 12));
  };
  for (const path of [
    '../up',
    'a/../../up',
    '%2e%2e/up',
    '.%2E/up',
    '..%2fup',
    'a/..;/up',
    '..\\up',
    '%2e',
    'a/..',
    './x',
  ]) {
    assert.is(await statusOf(`/proxy/${path}`), 400, path);
  }
  assert.is(destination.seen.length, 0);
  for (const path of ['/proxy/a..b/...', '/proxy/%252e%252e/x']) assert.is(await statusOf(path), 200, path);
  assert.equal(
    destination.seen.map(({ url }) => url),
    ['/only/here/a..b/...', '/only/here/%252e%252e/x'],
  );
  assert.is(await statusOf('http://elsewhere.example/proxy/x'), 200);
  assert.is(destination.last().url, '/only/here/x');
});

hostile('given an answer with expressions, then they stay what they are', async (context) => {
  const id = await createCard(context);
  context.destination.answer = (response) => {
    response.setHeader('X-Text', `{{ ${id} }}`).end(`{{ ${id} }}`);
  };
  const reply = await post(context, {});
  assert.equal([reply.text, reply.headers.get('x-text')], [`{{ ${id} }}`, `{{ ${id} }}`]);
});

hostile('given tokens that hold expressions, then these are data', async (context) => {
  const secret = await createCard(context);
  const id = await createToken(context, { type: 'token', data: `{{ ${secret} }}` });
  await post(context, { a: `{{ ${id} }}` });
  assert.equal(JSON.parse(context.destination.last().body), { a: `{{ ${secret} }}` });
});

hostile(
  'given a proxy that leads to itself, then it ends soon, whatever its code takes away',
  async (context) => {
    const { service } = context;
    const { id, key } = await create(context, { destination_url: service.url, require_auth: false });
    const patch = async (changes: object): Promise<void> => {
      assert.is((await manage(service, 'PATCH', `/${id}`, changes)).status, 204);
    };
    await patch({ destination_url: `${service.url}/proxy?bt-proxy-key=${key}` });
    const ask = () => send(context, '/proxy', { headers: { 'BT-PROXY-KEY': key } });
    const looped = await ask();
    assert.equal([looped.status, errorOf(looped).title], [508, 'Loop Detected']);
    await patch({ request_transform: { code: 'module.exports = () => ({ headers: {} })' } });
    assert.is((await ask()).status, 508);
  },
);

hostile('given a bomb, sent or answered, then it is not blown up', async (context) => {
  const { destination, service } = context;
  const bomb = gzipSync(Buffer.alloc(200 * 1_048_576));
  const sent = await send(context, '/proxy', {
    method: 'POST',
    key: service.keys.private,
    headers: { ...json, 'BT-PROXY-URL': destination.url, 'Content-Encoding': 'gzip' },
    body: new Uint8Array(bomb),
  });
  assert.is(sent.status, 413);
  assert.is(destination.seen.length, 0);
  destination.answer = (response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
  };
  const { key } = await create(context, {
    response_transform: { code: 'module.exports = () => ({ body: 1 })' },
  });
  const reply = await send(context, '/proxy', {
    key: service.keys.private,
    headers: { 'BT-PROXY-KEY': key },
  });
  assert.is(reply.status, 502);
  const nonsense = await post(context, 'no gzip', { 'Content-Encoding': 'gzip' });
  assert.is(nonsense.status, 400);
  assert.is((await post(context, 'x', { 'Content-Encoding': 'zstd' })).status, 415);
});

hostile(
  'given destinations that answer no HTTP, or too much of headers, then the answer is 502',
  async (context) => {
    for (const answer of [
      'nonsense\r\n\r\n',
      `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`,
      'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    ]) {
      context.destination.take = (request) => {
        request.socket.end(answer);
      };
      const reply = await post(context, {});
      assert.equal([reply.status, errorOf(reply).status], [502, 502], answer.slice(0, 20));
    }
  },
);

hostile('given all of this, then no plaintext, key or URL was written to the log', async (context) => {
  const id = await createCard(context);
  context.destination.take = (request) => {
    request.socket.destroy();
  };
  await post(
    context,
    { a: `{{ ${id} }}` },
    { 'X-Card': `{{ ${id} | json: '$.number' }}` },
    '/proxy/in-the-path?x=in-the-query',
  );
  await post(context, `{"a": "{{ ${id} | unknown }}"`);
  const text = logged.join('\n');
  assert.ok(logged.length > 0);
  for (const secret of [card.number, 'key_', 'in-the-path', 'in-the-query', context.destination.url]) {
    assert.not.ok(text.includes(secret), secret);
  }
});

hostile.run();
