import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  card,
  create,
  createCard,
  errorOf,
  json,
  send,
  startProxying,
  stopProxying,
} from '#test/proxies/support/proxies.ts';
import type { Context } from '#test/proxies/support/proxies.ts';
import { through } from '#test/proxies/support/through.ts';

const transforms = suite<Context>('transforms of proxies');

transforms.before(async (context) => {
  Object.assign(context, await startProxying({ environment: { HOLDFAST_REACTOR_TIMEOUT: '1s' } }));
});
transforms.after(stopProxying);
transforms.before.each(({ destination }) => {
  destination.reset();
});

transforms(
  'given a request transform, then it sees the request in the clear, and what it returns is sent',
  async (context) => {
    const { destination } = context;
    const id = await createCard(context);
    const request = `module.exports = async ({ args, configuration, bt }) => ({
  headers: { ...args.headers, Authorization: configuration.KEY, 'x-many': ['1', null, '2'], 'x-none': null, 'x-gone': args.gone },
  body: { args, bt },
})`;
    const reply = await through(
      context,
      { request, configuration: { KEY: 'secret' } },
      { number: `{{ ${id} | json: '$.number' }}` },
      { ...json, 'X-Own': `{{ ${id} | json: '$.expiration_month' }}` },
      '/proxy/sub/path?param=value',
    );
    assert.is(reply.status, 200, reply.text);
    const { headers, body, url } = destination.last();
    assert.is(url, '/sub/path?param=value');
    assert.equal([headers.authorization, headers['x-many'], headers['x-own']], ['secret', '1, 2', '12']);
    assert.not.ok('x-none' in headers || 'x-gone' in headers);
    const { args, bt } = JSON.parse(body) as { args: Record<string, unknown>; bt: unknown };
    assert.equal(
      [args['body'], args['method'], args['path'], args['query'], bt],
      [{ number: card.number }, 'POST', '/sub/path', '?param=value', null],
    );
    const seen = Object.keys(args['headers'] as object).map((name) => name.toLowerCase());
    assert.ok(seen.includes('x-own') && !seen.some((name) => /^bt-(?!trace-id$)/.test(name)), seen.join());
  },
);

transforms(
  'given forms and texts, then a transform sees text, and an object becomes a form again',
  async (context) => {
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const parse = `module.exports = ({ args }) => ({ headers: args.headers, body: { was: args.body, list: [1, 2] } })`;
    await through(context, { request: parse }, 'a=1&b=%20', form);
    assert.is(context.destination.last().body, 'was=a%3D1%26b%3D%2520&list=1&list=2');
    const echo = 'module.exports = ({ args }) => ({ body: args.body.toUpperCase() })';
    await through(context, { request: echo }, '<a>ü</a>', { 'Content-Type': 'application/xml' });
    assert.is(context.destination.last().body, '<A>Ü</A>');
    assert.is(context.destination.last().headers['content-type'], 'application/xml');
    const binary = await through(context, { request: echo }, Buffer.from([0xff, 0xfe]), {
      'Content-Type': 'image/png',
    });
    assert.is(binary.status, 415);
    await through(context, { request: 'module.exports = ({ args }) => ({ headers: args.headers })' });
    assert.is(context.destination.last().body, '');
  },
);

transforms(
  'given a response transform, then it makes the answer of what succeeded, and of nothing else',
  async (context) => {
    const { destination } = context;
    destination.answer = (response) => {
      response.writeHead(201, { 'Content-Type': 'application/json', 'X-Own': '1', ETag: 'x' });
      response.end(JSON.stringify({ number: card.number }));
    };
    const response = `module.exports = ({ args, configuration }) => ({
  headers: { ...args.headers, 'x-new': configuration.KEY },
  body: { last4: args.body.number.slice(-4) },
})`;
    const reply = await through(context, { response, configuration: { KEY: '2' } });
    assert.equal([reply.status, reply.text], [201, '{"last4":"4242"}']);
    assert.equal(
      ['x-own', 'x-new', 'etag', 'content-length', 'bt-proxy-destination-status'].map((name) =>
        reply.headers.get(name),
      ),
      ['1', '2', null, '16', '201'],
    );
    destination.answer = (response) => {
      response.writeHead(402, { 'Content-Type': 'text/plain' }).end('declined');
    };
    const failed = await through(context, { response });
    assert.equal([failed.status, failed.text], [402, 'declined']);
    assert.is(failed.headers.get('bt-proxy-destination-status'), '402');
  },
);

transforms(
  'given an answer that is compressed against all advice, then a transform sees it unpacked',
  async (context) => {
    context.destination.answer = (response, { headers }) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify({ accepted: headers['accept-encoding'] })));
    };
    const response = 'module.exports = ({ args }) => ({ body: args.body, headers: args.headers })';
    const reply = await through(context, { response });
    assert.equal([reply.text, reply.headers.get('content-encoding')], ['{"accepted":"identity"}', null]);
  },
);

transforms('given reactors in place of code, then their raw is the message', async (context) => {
  const { service, destination } = context;
  const made = await service.call<{ id: string }>(
    'POST',
    '/reactors',
    {
      name: 'r',
      configuration: { K: 'v' },
      code: 'module.exports = ({ args, configuration }) => ({ raw: { body: { ...args.body, ...configuration } } })',
    },
    { key: service.keys.management },
  );
  const reply = await through(context, {
    request_reactor_id: made.body.id,
    response_reactor_id: made.body.id,
  });
  assert.equal(JSON.parse(destination.last().body), { a: 1, K: 'v' });
  assert.equal(JSON.parse(reply.text), { received: '{"a":1,"K":"v"}', K: 'v' });
  const orphan = await create(context, { request_reactor_id: made.body.id });
  await service.call('DELETE', `/reactors/${made.body.id}`, undefined, { key: service.keys.management });
  const headers = { 'BT-PROXY-KEY': orphan.key };
  const gone = await send(context, '/proxy', { key: service.keys.private, headers });
  assert.equal([gone.status, errorOf(gone).detail], [422, 'The reactor of the proxy was deleted.']);
});

transforms(
  'given an application, then transforms tokenize with its rights, also for callers without a key',
  async (context) => {
    const { service, destination } = context;
    const application = { name: 'lent', type: 'private', permissions: ['token:create'] };
    const { body: lent } = await service.call<{ id: string }>('POST', '/applications', application, {
      key: service.keys.management,
    });
    const request = `module.exports = async ({ args, bt }) => {
  const token = await bt.tokenize({ type: 'token', data: args.body.secret });
  return { headers: args.headers, body: { secret: token.id } };
}`;
    const proxy = await create(context, {
      ...{ request_transform: { code: request }, application: { id: lent.id }, require_auth: false },
    });
    const reply = await send(context, '/proxy', {
      method: 'POST',
      headers: { ...json, 'BT-PROXY-KEY': proxy.key },
      body: JSON.stringify({ secret: 'plain' }),
    });
    assert.is(reply.status, 200, reply.text);
    const { secret } = JSON.parse(destination.last().body) as { secret: string };
    assert.is((await service.call('GET', `/tokens/${secret}`)).status, 200);
  },
);

transforms('given an application that was deleted, then transforms run on without it', async (context) => {
  const { service, destination } = context;
  const manager = { key: service.keys.management };
  const application = { name: 'lent', type: 'private', permissions: ['token:create'] };
  const { body: lent } = await service.call<{ id: string }>('POST', '/applications', application, manager);
  const code = 'module.exports = ({ bt }) => ({ body: { has: bt !== null } })';
  const { key } = await create(context, { request_transform: { code }, application: { id: lent.id } });
  const ask = async (): Promise<string> => {
    const headers = { ...json, 'BT-PROXY-KEY': key };
    const reply = await send(context, '/proxy', { method: 'POST', key: service.keys.private, headers });
    assert.is(reply.status, 200, reply.text);
    return destination.last().body;
  };
  assert.is(await ask(), '{"has":true}');
  await service.call('DELETE', `/applications/${lent.id}`, undefined, manager);
  assert.is(await ask(), '{"has":false}');
});

transforms.run();
