import * as assert from 'uvu/assert';
import type { Subject } from '#test/canaries/support/subject.ts';

type Made = { id: string; key: string };

/** Code of tenants that prints, throws, keeps and gives back what it is given. */
const codes: Readonly<Record<string, string>> = {
  'gives back': 'module.exports = (req) => ({ raw: { args: req.args, configuration: req.configuration } });',
  prints:
    'module.exports = (req) => { console.log(req.args, req.configuration); console.error(JSON.stringify(req)); return { raw: 1 }; };',
  throws: 'module.exports = (req) => { throw new Error(JSON.stringify([req.args, req.configuration])); };',
  'throws a mapped error':
    "const { BadRequestError } = require('@basis-theory/basis-theory-reactor-formulas-sdk-js'); module.exports = (req) => { throw new BadRequestError(JSON.stringify(req.args)); };",
  tokenizes: "module.exports = (req) => ({ tokenize: { type: 'token', data: req.args } });",
  'answers wrongly': 'module.exports = (req) => ({ [JSON.stringify(req.args)]: 1 });',
  'does not compile': 'module.exports = (req) => {',
  'never ends': 'module.exports = (req) => { for (;;) JSON.stringify(req.args); };',
};

export async function useCode(subject: Subject): Promise<void> {
  for (const [name, code] of Object.entries(codes)) await useReactor(subject, name, code);
  await useProxies(subject);
  await useTransforms(subject);
  await useWebhooks(subject);
}

async function useReactor(subject: Subject, name: string, code: string): Promise<void> {
  const { ask, canaries, keys, revealing, destination } = subject;
  const configuration = { secret: canaries.make('text', `a reactor that ${name}: configuration`) };
  const made = await ask<Made>('POST', '/reactors', {
    key: keys.management,
    body: { name, code, configuration },
  });
  assert.is(made.status, 201, JSON.stringify(made.body));
  const { id } = made.body;
  const kept = canaries.make('card', `a reactor that ${name}: data of a token`);
  const token = await ask<Made>('POST', '/tokens', {
    body: {
      type: 'card',
      data: { number: kept, cvc: canaries.code('a reactor'), expiration_month: 1, expiration_year: 2036 },
    },
  });
  const body = {
    args: {
      card: `{{ ${token.body.id} }}`,
      number: canaries.make('card', `a reactor that ${name}: arguments`),
      password: canaries.make('text', `a reactor that ${name}: arguments`),
    },
  };
  await ask('POST', `/reactors/${id}/react`, { key: revealing, body, shows: true });
  await ask('POST', `/reactors/${id}/react`, { key: revealing, body: { ...body, not_known: 1 } });
  const callback = `${destination.url}/callback?secret=${canaries.make('text', `a reactor that ${name}: callback`)}`;
  for (const callback_url of [undefined, callback]) {
    await ask('POST', `/reactors/${id}/react-async`, {
      key: revealing,
      body: callback_url === undefined ? body : { ...body, callback_url },
      shows: true,
    });
  }
  await ask('GET', `/reactors/${id}/logs`, { key: keys.management, shows: true });
}

/** Requests through destinations that are named in a header: what is in query, headers and body goes there alone. */
async function useProxies({ ask, canaries, revealing, destination }: Subject): Promise<void> {
  const secret = canaries.make('text', 'a proxy: data of a token');
  const token = await ask<Made>('POST', '/tokens', { body: { type: 'token', data: secret } });
  const expression = `{{ ${token.body.id} }}`;
  for (const [status, url] of [
    [200, destination.url],
    [500, destination.url],
    [502, 'http://127.0.0.1:1'],
  ] as const) {
    destination.answer = (response, { body }) => {
      response.writeHead(status, { 'Content-Type': 'text/plain', 'X-Echo': secret }).end(body);
    };
    const through = `BT-PROXY-URL answers ${status}`;
    const query = canaries.make('card', `${through}: query`);
    const path = canaries.make('card', `${through}: path`);
    const headers = {
      'BT-PROXY-URL': `${url}/to?password=${canaries.make('text', `${through}: query of the URL`)}`,
      Authorization: `Bearer ${canaries.make('text', `${through}: header`)}`,
      'X-Secret': expression,
    };
    const body = { number: canaries.make('card', `${through}: body`), secret: expression };
    await ask('POST', `/proxy/${path}?number=${query}`, {
      key: revealing,
      headers,
      body,
      shows: status < 502,
    });
    const wrong = { number: canaries.make('card', `${through}: beside a fault`), secret: '{{ wrong | at }}' };
    await ask('POST', `/proxy/${path}?number=${query}`, { key: revealing, headers, body: wrong });
  }
  await ask('POST', '/proxy', {
    key: revealing,
    headers: {
      'BT-PROXY-URL': `http://${canaries.make('text', 'BT-PROXY-URL: user')}:${canaries.make('text', 'BT-PROXY-URL: password')}@127.0.0.1:1/`,
    },
    body: {},
  });
}

/** Configured proxies whose code gives back, prints and throws what passes. */
async function useTransforms({ ask, canaries, keys, revealing, destination }: Subject): Promise<void> {
  destination.answer = (response, { body }) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ received: body }));
  };
  const passes = 'module.exports = (req) => ({ body: req.args.body, headers: req.args.headers });';
  const throws =
    'module.exports = (req) => { console.log(req.args, req.configuration); throw new Error(JSON.stringify([req.args, req.configuration])); };';
  for (const [name, request, response] of [
    ['passes on', passes, passes],
    ['throws before', throws, passes],
    ['throws after', passes, throws],
  ] as const) {
    const made = await ask<Made>('POST', '/proxies', {
      key: keys.management,
      body: {
        name,
        destination_url: destination.url,
        configuration: { secret: canaries.make('text', `a proxy that ${name}: configuration`) },
        request_transform: { code: request },
        response_transform: { code: response },
      },
      shows: true,
    });
    assert.is(made.status, 201, JSON.stringify(made.body));
    canaries.add({ kind: 'key', value: made.body.key, spot: 'POST /proxies: its key' });
    await ask('POST', '/proxy', {
      key: revealing,
      headers: { 'BT-PROXY-KEY': made.body.key },
      body: { number: canaries.make('card', `a proxy that ${name}: body`) },
      shows: true,
    });
    await ask('PATCH', `/proxies/${made.body.id}`, {
      key: keys.management,
      body: { configuration: { card: canaries.make('card', 'a proxy: a card number in its configuration') } },
    });
  }
}

/** A webhook that is told of what follows, and whose secret is changed. */
async function useWebhooks({ ask, canaries, keys, receiver }: Subject): Promise<void> {
  const body = {
    name: 'hook',
    url: receiver.url,
    events: ['token.created', 'token.updated', 'token.deleted'],
  };
  const made = await ask<Made & { secret?: string }>('POST', '/webhooks', {
    key: keys.management,
    body,
    shows: true,
  });
  assert.is(made.status, 201, JSON.stringify(made.body));
  const rotated = await ask<{ secret?: string }>('POST', `/webhooks/${made.body.id}/rotate-secret`, {
    key: keys.management,
    body: {},
    shows: true,
  });
  for (const secret of [made.body.secret, rotated.body.secret]) {
    assert.ok(secret, 'a webhook has a secret');
    canaries.add({ kind: 'key', value: secret, spot: 'POST /webhooks: its secret' });
  }
  await ask('GET', `/webhooks/${made.body.id}`, { key: keys.management });
}
