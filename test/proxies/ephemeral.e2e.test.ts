import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  card,
  createCard,
  createToken,
  errorOf,
  json,
  post,
  send,
  startProxying,
  stopProxying,
} from '#test/proxies/support/proxies.ts';
import type { Context } from '#test/proxies/support/proxies.ts';

const ephemeral = suite<Context>('ephemeral proxies');

ephemeral.before(async (context) => {
  Object.assign(context, await startProxying());
});
ephemeral.after(stopProxying);
ephemeral.before.each(({ destination }) => {
  destination.reset();
});

ephemeral(
  'given JSON with expressions, when it is proxied, then the destination gets the data, typed',
  async (context) => {
    const id = await createCard(context);
    const reply = await post(context, {
      whole: `{{${id}}}`,
      month: `{{ ${id} | json: '$.expiration_month' }}`,
      text: `no. {{ ${id} | json: '$.number' }}`,
      plain: 'kept',
    });
    assert.is(reply.status, 200, reply.text);
    assert.equal(JSON.parse(context.destination.last().body), {
      whole: card,
      month: 12,
      text: `no. ${card.number}`,
      plain: 'kept',
    });
    assert.is(reply.headers.get('bt-proxy-destination-status'), '200');
  },
);

ephemeral(
  'given a body without expressions, when it is proxied, then it arrives byte by byte',
  async (context) => {
    const body =
      '{ "big": 12345678901234567890,  "a":1e400, "a": "\\u007bx}}", "b": "\\\\u007b\\u007b x }}" }';
    assert.is((await post(context, body)).status, 200);
    assert.is(context.destination.last().body, body);
  },
);

ephemeral(
  'given an expression whose braces are escaped, when it is proxied, then it is replaced, whatever is beside it',
  async (context) => {
    const id = await createToken(context, { type: 'token', data: 'plain' });
    for (const braces of ['{{', '\\u007b\\u007B', '{\\u007b', '\\u007b{', '\\\\\\u007b{']) {
      const expression = `"${braces} ${id} }}"`;
      const isOne = !braces.startsWith('\\\\');
      const replaced = isOne ? 'plain' : '\\plain';
      assert.is((await post(context, `{"a":${expression}}`)).status, 200, braces);
      assert.equal(JSON.parse(context.destination.last().body), { a: replaced }, braces);
      assert.is((await post(context, `{"a":${expression},"b":"{{ ${id} }}"}`)).status, 200, braces);
      assert.equal(JSON.parse(context.destination.last().body), { a: replaced, b: 'plain' }, braces);
    }
  },
);

ephemeral(
  'given forms and texts, when they are proxied, then expressions in them are replaced',
  async (context) => {
    const id = await createToken(context, { type: 'token', data: 'Jürgen & Söhne=1' });
    const form = `untouched=a+b%20c&name=%7B%7B+${id}+%7D%7D&name=x&flag`;
    await post(context, form, { 'Content-Type': 'application/x-www-form-urlencoded' });
    assert.is(
      context.destination.last().body,
      `untouched=a+b%20c&name=${encodeURIComponent('Jürgen & Söhne=1')}&name=x&flag`,
    );
    for (const type of ['text/plain', 'application/xml', 'application/soap+xml; charset=utf-8', 'text/csv']) {
      await post(context, `<a>{{${id}}}</a>\r\n`, { 'Content-Type': type });
      assert.is(context.destination.last().body, '<a>Jürgen & Söhne=1</a>\r\n', type);
    }
  },
);

ephemeral('given other media types, when they are proxied, then nobody looks into them', async (context) => {
  const id = await createCard(context);
  for (const type of [
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'text/plain; charset=latin1',
    'application/json; charset=utf-16',
  ]) {
    await post(context, `{{${id}}}`, { 'Content-Type': type });
    assert.is(context.destination.last().body, `{{${id}}}`, type);
  }
});

ephemeral(
  'given headers and a query with expressions, when they are proxied, then they are replaced',
  async (context) => {
    const id = await createCard(context);
    const number = encodeURIComponent(`{{ ${id} | json: '$.number' }}`);
    const reply = await send(context, `/proxy/charges/a%20b?x=1&card=${number}&&x=%7B&`, {
      key: context.service.keys.private,
      headers: {
        'BT-PROXY-URL': `${context.destination.url}/api/?v=2`,
        Authorization: `Bearer {{ ${id} | json: '$.number' }}`,
        'X-Card': `{{ ${id} }}`,
      },
    });
    assert.is(reply.status, 200, reply.text);
    const { method, url, headers } = context.destination.last();
    assert.equal([method, url], ['GET', `/api/charges/a%20b?v=2&x=1&card=${card.number}&&x=%7B&`]);
    assert.is(headers.authorization, `Bearer ${card.number}`);
    assert.equal(JSON.parse(String(headers['x-card'])), card);
  },
);

ephemeral('given every method, when it is proxied, then the destination is asked by it', async (context) => {
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const reply = await send(context, '/proxy/', {
      method,
      key: context.service.keys.private,
      headers: { 'BT-PROXY-URL': `${context.destination.url}/base` },
    });
    assert.is(reply.status, 200, method);
    assert.equal([context.destination.last().method, context.destination.last().url], [method, '/base']);
  }
});

ephemeral(
  'given what is wrong with a request, then the service says so, wrapped, and nobody was asked',
  async (context) => {
    const { service, destination } = context;
    const url = { 'BT-PROXY-URL': destination.url };
    const reply = async (headers: Record<string, string>, key?: string, body = '{}', path = '/proxy') => {
      const sent = await send(context, path, { method: 'POST', key, headers: { ...json, ...headers }, body });
      assert.ok(sent.headers.get('content-type')?.startsWith('application/json'));
      assert.is(sent.headers.get('bt-proxy-destination-status'), null);
      const { status } = errorOf(sent);
      assert.is(sent.status, status);
      return sent;
    };
    const statusOf = async (...given: Parameters<typeof reply>) => (await reply(...given)).status;
    const { private: key } = service.keys;
    assert.equal(errorOf(await reply(url)), {
      errors: {},
      title: 'Unauthorized proxy request',
      status: 401,
      detail: 'The BT-API-KEY header is required',
    });
    assert.is(await statusOf(url, 'key_of_nobody'), 401);
    assert.is(await statusOf({}), 401);
    assert.is(await statusOf({}, key), 400);
    assert.is(await statusOf({ ...url, 'BT-PROXY-KEY': 'key' }, key), 400);
    assert.is(await statusOf(url, service.keys.management), 403);
    assert.is(await statusOf(url, service.keys.public), 403);
    assert.is(await statusOf({ 'BT-PROXY-KEY': 'e29a50980ca5' }, key), 404);
    assert.is(await statusOf(url, key, '{"a": "{{ }}"}'), 400);
    assert.is(await statusOf(url, key, '{"a": {{ x }}}'), 400);
    assert.is(await statusOf(url, key, '{"a": "{{ user.name }}"}'), 400);
    const known = `{{ ${await createCard(context)} }}`;
    assert.is(await statusOf(url, key, `{"a": "${known}", "b": ${'['.repeat(64)}${']'.repeat(64)}}`), 400);
    const often = Array.from({ length: 1_001 }, () => known);
    assert.equal(
      errorOf(await reply(url, key, JSON.stringify(often))).detail,
      'There are too many expressions',
    );
    const many = Array.from({ length: 101 }, (_, index) => `{{ token-${index} }}`);
    assert.is(await statusOf(url, key, JSON.stringify(many)), 400);
    assert.equal(errorOf(await reply(url, key, '{"invalid": "{{ unknown_token_id }}"}')), {
      errors: { 'body.invalid': ['Failed to detokenize some tokens: unknown_token_id'] },
      title: 'Invalid proxy request',
      status: 400,
      detail: 'Failed to detokenize some tokens: unknown_token_id',
    });
    const elsewhere = await service.ruledKey({
      description: 'b',
      container: '/b/',
      permissions: ['token:use'],
    });
    assert.is(await statusOf(url, elsewhere, `{"a": "{{ ${await createCard(context)} }}"}`), 403);
    assert.is(destination.seen.length, 0);
  },
);

ephemeral('given a hundred tokens, when they are proxied at once, then all are replaced', async (context) => {
  const data = Array.from({ length: 100 }, (_, index) => ({ type: 'token', data: `secret ${index}` }));
  const { body } = await context.service.call<{ id: string }[]>('POST', '/tokenize', data);
  const reply = await post(
    context,
    body.map(({ id }) => `{{${id}}}`),
  );
  assert.is(reply.status, 200);
  assert.equal(
    JSON.parse(context.destination.last().body),
    data.map(({ data }) => data),
  );
});

ephemeral('given a tenant that has turned them off, then only configured proxies serve', async (context) => {
  const { service } = context;
  const set = (value: string) =>
    service.call(
      'PUT',
      '/tenants/self',
      { name: 'test', settings: { disable_ephemeral_proxy: value } },
      {
        key: service.keys.management,
      },
    );
  assert.is((await set('maybe')).status, 400);
  assert.is((await set('true')).status, 200);
  try {
    assert.is((await post(context, {})).status, 403);
  } finally {
    assert.is((await set('false')).status, 200);
  }
  assert.is((await post(context, {})).status, 200);
});

ephemeral.run();
