import { connect } from 'node:net';
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
  const { port } = new URL(service.url);
  const statusOf = (path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nBT-PROXY-KEY: ${key}\r\nConnection: close\r\n\r\n`);
      });
      let text = '';
      socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
      socket.on('error', reject).on('end', () => {
        resolve(Number(text.slice(9, 12)));
      });
    });
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

hostile('given tokens that hold line breaks, then no header can be made of them', async (context) => {
  const id = await createToken(context, { type: 'token', data: 'a\r\nX-Injected: 1' });
  const reply = await post(context, {}, { 'X-Token': `{{ ${id} }}` });
  assert.is(reply.status, 400);
  assert.not.ok(reply.text.includes('Injected'));
  assert.is(context.destination.seen.length, 0);
  const inQuery = await post(context, {}, {}, `/proxy?a=%7B%7B${id}%7D%7D`);
  assert.is(inQuery.status, 200);
  assert.is(context.destination.last().url, '/?a=a%0D%0AX-Injected%3A%201');
});

hostile(
  'given headers of the connection and of the service, then the destination sees none',
  async (context) => {
    const { service, destination } = context;
    const { port, hostname } = new URL(service.url);
    const answered = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        const headers = [
          `POST /proxy HTTP/1.1`,
          'Host: vault.example',
          `BT-API-KEY: ${service.keys.private}`,
          `BT-PROXY-URL: ${destination.url}`,
          'BT-TRACE-ID: x',
          'BT-CLIENT-USER-AGENT: {}',
          'Connection: close, X-Nominated',
          'X-Nominated: 1',
          'Keep-Alive: 1',
          'Proxy-Authorization: Basic eA==',
          'TE: trailers',
          'Upgrade: h2c',
          'X.Dotted: 1',
          'X-Kept: 1',
          'Cookie: a=b',
          'Content-Type: application/json',
          'Content-Length: 2',
        ];
        socket.write(`${headers.join('\r\n')}\r\n\r\n{}`);
      });
      let text = '';
      socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
      socket.on('end', () => {
        resolve(text);
      });
    });
    assert.ok(answered.startsWith('HTTP/1.1 200'), answered);
    const { headers } = destination.last();
    const expected = [
      'accept',
      'accept-encoding',
      'cdn-loop',
      'connection',
      'content-length',
      'content-type',
    ];
    assert.equal(Object.keys(headers).sort(), [...expected, 'cookie', 'host', 'user-agent', 'x-kept'].sort());
    assert.is(headers.host, new URL(destination.url).host);
    assert.not.ok(JSON.stringify(headers).includes('key_'));
  },
);

hostile('given requests of two lengths, then none is smuggled', async (context) => {
  const { service, destination } = context;
  const { port } = new URL(service.url);
  for (const framing of [
    'Content-Length: 4\r\nTransfer-Encoding: chunked',
    'Content-Length: 4\r\nContent-Length: 5',
    'Transfer-Encoding: xchunked',
    'Transfer-Encoding: chunked, identity',
  ]) {
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        const head = `POST /proxy HTTP/1.1\r\nHost: x\r\nBT-API-KEY: ${service.keys.private}\r\nBT-PROXY-URL: ${destination.url}\r\n`;
        socket.write(`${head}${framing}\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n`);
      });
      let answer = '';
      socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
      socket
        .on('error', () => undefined)
        .on('close', () => {
          resolve(answer);
        });
    });
    assert.ok(text.startsWith('HTTP/1.1 400'), `${framing}: ${text.slice(0, 40)}`);
  }
  assert.is(destination.seen.length, 0);
});

hostile(
  'given an answer that speaks for the host, then that is left out, and the rest passes',
  async (context) => {
    context.destination.answer = (response) => {
      response.writeHead(200, {
        'Content-Type': 'text/html',
        'Set-Cookie': ['a=1', 'b=2'],
        'Content-Encoding': 'gzip',
        'Cache-Control': 'public, max-age=9999',
        'Strict-Transport-Security': 'max-age=1',
        'Service-Worker-Allowed': '/',
        'Alt-Svc': 'h2="elsewhere.example:443"',
        'Clear-Site-Data': '"*"',
        'BT-Trace-Id': 'forged',
        'BT-Proxy-Destination-Status': '999',
        'X-Odd!name': '1',
        Connection: 'X-Secret',
        'X-Secret': '1',
      });
      response.end(gzipSync('<script>x</script>'));
    };
    const { headers, text } = await post(context, {});
    assert.is(text, '<script>x</script>');
    assert.equal(headers.getSetCookie(), ['a=1', 'b=2']);
    assert.equal(
      [
        'content-encoding',
        'cache-control',
        'content-security-policy',
        'bt-proxy-destination-status',
        'x-odd!name',
      ].map((name) => headers.get(name)),
      ['gzip', 'no-store', 'sandbox', '200', '1'],
    );
    for (const name of [
      'strict-transport-security',
      'service-worker-allowed',
      'alt-svc',
      'clear-site-data',
      'x-secret',
    ]) {
      assert.is(headers.get(name), null, name);
    }
    assert.is.not(headers.get('bt-trace-id'), 'forged');
  },
);

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
