import { request as httpRequest } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { create, errorOf, json, startProxying, stopProxying } from '#test/proxies/support/proxies.ts';
import type { Context } from '#test/proxies/support/proxies.ts';
import { through } from '#test/proxies/support/through.ts';

const test = suite<Context>('header names in transforms of proxies');

test.before(async (context) => {
  Object.assign(context, await startProxying());
});
test.after(stopProxying);
test.before.each(({ destination }) => {
  destination.reset();
});

/** Keeps the spelling of names, which fetch does not. */
const rawPost = (
  { service }: Context,
  headers: readonly string[],
  body: string,
): Promise<{ status: number; rawHeaders: string[]; text: string }> =>
  new Promise((resolve, reject) => {
    const url = new URL('/proxy', service.url);
    const all = ['Host', url.host, 'BT-API-KEY', service.keys.private, ...headers];
    const sent = httpRequest(url, { method: 'POST', headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, rawHeaders: response.rawHeaders, text });
      });
    });
    sent.on('error', reject).end(body);
  });

const values = (rawHeaders: readonly string[], name: string): string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);

const asReactor = async ({ service }: Context, code: string): Promise<string> => {
  const raw = `${code};
const message = module.exports;
module.exports = async (req) => ({ raw: await message(req) });`;
  const body = { name: 'r', configuration: {}, code: raw };
  const made = await service.call<{ id: string }>('POST', '/reactors', body, {
    key: service.keys.management,
  });
  assert.is(made.status, 201, JSON.stringify(made.body));
  return made.body.id;
};

const spellings = `module.exports = ({ args: { headers } }) => ({
  headers,
  body: [headers['MY-CUSTOM-API-KEY'], headers['content-TYPE'], headers['X-DATE'], Object.keys(headers).filter((name) => /^(my|x|content-type)/i.test(name))],
})`;

test('given names in any spelling, when a request transform reads them, then they are found and listed as sent', async (context) => {
  const { destination } = context;
  for (const attributes of [
    { request_transform: { code: spellings } },
    { request_reactor_id: await asReactor(context, spellings) },
  ]) {
    const { key } = await create(context, attributes);
    const sent = [
      'BT-PROXY-KEY',
      key,
      'Content-Type',
      'application/json',
      'my-custom-API-key',
      'k',
      'x-date',
      'd',
    ];
    assert.is((await rawPost(context, sent, '{}')).status, 200);
    assert.equal(JSON.parse(destination.last().body), [
      ...['k', 'application/json', 'd'],
      ['Content-Type', 'my-custom-API-key', 'x-date'],
    ]);
    assert.ok(destination.last().rawHeaders.includes('my-custom-API-key'));
  }
});

test('given names in any spelling, when a response transform reads them, then they are found and listed as sent', async (context) => {
  context.destination.answer = (response) => {
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('My-Custom-Api-Key', 'k').setHeader('x-date', 'd').end('{}');
  };
  for (const attributes of [
    { response: spellings },
    { response_reactor_id: await asReactor(context, spellings) },
  ]) {
    const reply = await through(context, attributes);
    assert.equal(JSON.parse(reply.text), [
      ...['k', 'application/json', 'd'],
      ['Content-Type', 'My-Custom-Api-Key', 'x-date'],
    ]);
  }
});

const replacing = `module.exports = ({ args: { headers } }) => ({
  headers: { 'X-FIRST': 'mine', ...headers, 'CONTENT-Type': 'application/xml', 'X-Received': 'mine', authoriZATION: undefined, 'x-GONE': null },
  body: '<a/>',
})`;

test('given a header that code returns in another spelling, then the last one goes out, alone', async (context) => {
  const { destination } = context;
  for (const attributes of [
    { request_transform: { code: replacing } },
    { request_reactor_id: await asReactor(context, replacing) },
  ]) {
    const { key } = await create(context, attributes);
    for (const [contentType, received] of [
      ['content-type', 'x-received'],
      ['Content-Type', 'X-RECEIVED'],
    ] as const) {
      const reply = await rawPost(
        context,
        [
          ...['BT-PROXY-KEY', key, contentType, 'application/json', received, 'theirs', 'x-first', 'theirs'],
          ...['Authorization', 'Bearer of-the-caller', 'X-Gone', 'theirs'],
        ],
        '{}',
      );
      assert.is(reply.status, 200, reply.text);
      const { rawHeaders, body } = destination.last();
      const seen = ['content-type', 'x-received', 'x-first', 'authorization', 'x-gone'].map((name) =>
        values(rawHeaders, name),
      );
      assert.equal(seen, [['application/xml'], ['mine'], ['theirs'], [], []]);
      assert.is(body, '<a/>');
    }
  }
});

test('given a header that code returns for an answer in another spelling, then the client gets the last one, alone', async (context) => {
  context.destination.answer = (response) => {
    response.setHeader('Content-Type', 'application/json').setHeader('X-Received', 'theirs');
    response
      .setHeader('x-first', 'theirs')
      .setHeader('Authorization', 'theirs')
      .setHeader('x-gone', 'theirs');
    response.end('{}');
  };
  for (const attributes of [
    { response_transform: { code: replacing } },
    { response_reactor_id: await asReactor(context, replacing) },
  ]) {
    const { key } = await create(context, attributes);
    const reply = await rawPost(context, ['BT-PROXY-KEY', key, 'Content-Type', 'application/json'], '{}');
    assert.equal([reply.status, reply.text], [200, '<a/>']);
    const seen = ['content-type', 'x-received', 'x-first', 'authorization', 'x-gone'].map((name) =>
      values(reply.rawHeaders, name),
    );
    assert.equal(seen, [['application/xml'], ['mine'], ['theirs'], [], []]);
  }
});

test('given several values of one name in several spellings, then code sees them as one list, and none is lost', async (context) => {
  const { destination } = context;
  const code = `module.exports = ({ args: { headers } }) => ({ headers, body: headers['X-MANY'] })`;
  const { key } = await create(context, { request_transform: { code } });
  const sent = [
    'BT-PROXY-KEY',
    key,
    'Content-Type',
    'application/json',
    'X-Many',
    '1',
    'x-many',
    '2',
    'X-MANY',
    '3',
  ];
  await rawPost(context, sent, '{}');
  assert.equal(JSON.parse(destination.last().body), ['1', '2', '3']);
  assert.equal(values(destination.last().rawHeaders, 'x-many'), ['1', '2', '3']);
});

test('given a header with a name that objects have, then it goes through a transform like others', async (context) => {
  const { destination } = context;
  const code = `module.exports = ({ args }) => ({ headers: { ...args.headers, constructor: 'c' }, body: args.headers['__PROTO__'] })`;
  const { key } = await create(context, { request_transform: { code } });
  await rawPost(context, ['BT-PROXY-KEY', key, 'Content-Type', 'text/plain', '__proto__', 'p'], 'x');
  const { rawHeaders } = destination.last();
  assert.equal([values(rawHeaders, '__proto__'), values(rawHeaders, 'constructor')], [['p'], ['c']]);
});

test('given a trace, then a request transform reads it, and the destination does not', async (context) => {
  const { destination } = context;
  const trace = '0e4b8f5a-3c3e-4a8e-9d5c-6f1b2a7c9d10';
  const code = `module.exports = ({ args: { headers } }) => ({ headers, body: { trace: headers['bt-trace-id'] } })`;
  await through(context, { request: code }, { a: 1 }, { ...json, 'BT-TRACE-ID': trace });
  assert.equal(JSON.parse(destination.last().body), { trace });
  assert.not.ok('bt-trace-id' in destination.last().headers);
});

test('given a custom answer with a name in two spellings, then the last one counts', async (context) => {
  const code = `const { CustomHttpResponseError } = require('@basis-theory/basis-theory-reactor-formulas-sdk-js');
module.exports = () => { throw new CustomHttpResponseError({ status: 200, headers: { 'content-type': 'a/b', 'X-A': '1', 'Content-Type': 'text/plain', 'x-a': '2' }, body: 'x' }) }`;
  const reply = await through(context, { request: code });
  assert.equal(
    [reply.status, reply.text, reply.headers.get('x-a'), reply.headers.get('content-type')],
    [200, 'x', '2', 'text/plain'],
  );
});

test('given a transform that returns its message in raw, then it is taken', async (context) => {
  const { destination } = context;
  const code = `module.exports = async ({ args: { headers, body } }) => ({ raw: { headers: { ...headers, 'x-own': '1' }, body: { ...body, b: 2 } } })`;
  const reply = await through(context, { request: code, response: code });
  assert.is(reply.status, 200, reply.text);
  assert.equal(JSON.parse(destination.last().body), { a: 1, b: 2 });
  assert.is(destination.last().headers['x-own'], '1');
  assert.equal(JSON.parse(reply.text), { received: '{"a":1,"b":2}', b: 2 });
  assert.is(reply.headers.get('x-own'), '1');
});

test('given raw beside headers or body, then the transform fails, and says why', async (context) => {
  const { destination } = context;
  for (const returned of [
    '{ raw: { body: 1 }, body: 2 }',
    '{ raw: {}, headers: {} }',
    '{ raw: { body: 1 }, body: null }',
  ]) {
    const reply = await through(context, { request: `module.exports = () => (${returned})` });
    assert.is(reply.status, 500);
    assert.equal(errorOf(reply).errors, {
      error: ['A transform must return headers and body either in raw or beside it.'],
    });
  }
  assert.is(destination.seen.length, 0);
  const none = await through(context, { request: 'module.exports = () => ({ raw: 7 })' });
  assert.equal([none.status, errorOf(none).errors['error']?.length], [500, 1]);
  const absent = await through(context, { request: 'module.exports = () => ({ raw: null, body: 7 })' });
  assert.is(absent.status, 200);
});

test.run();
