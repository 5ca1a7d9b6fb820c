import * as assert from 'uvu/assert';
import type { Subject } from '#test/canaries/support/subject.ts';

type Token = { id: string };

/** Keeps, changes, finds, shows and removes tokens of every kind, some requests twice and some wrong. */
export async function useTokens(subject: Subject, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const card = await keepCard(subject);
    await keepOthers(subject);
    await changeAndFind(subject, card);
    await payWith(subject);
  }
}

/** A card that is kept by a request that is sent twice, and by the others that make tokens. */
async function keepCard({ ask, canaries, revealing }: Subject): Promise<Token & { number: string }> {
  const number = canaries.make('card', 'POST /tokens: number of a card');
  const cvc = canaries.code('POST /tokens: code of a card');
  const body = {
    type: 'card',
    data: { number, cvc, expiration_month: 12, expiration_year: 2035 },
    search_indexes: ['{{ data.number }}', '{{ data.number | last4 }}'],
    deduplicate_token: true,
    metadata: { order: 'kept in clear' },
  };
  const headers = { 'BT-IDEMPOTENCY-KEY': `card ${Math.random()}` };
  const first = await ask<Token>('POST', '/tokens', { body, headers });
  assert.is(first.status, 201, JSON.stringify(first.body));
  assert.equal((await ask<Token>('POST', '/tokens', { body, headers })).body.id, first.body.id);
  await ask('POST', '/tokens', { body: { ...body, data: { ...body.data, number: `${number}0` } }, headers });
  await ask('POST', '/tokens', { body });
  await ask('POST', '/tokens', { body: { ...body, data: { ...body.data, expiration_month: 13 } } });
  await ask('POST', '/tokens', { body: { ...body, metadata: { note: number } } });
  await ask('POST', '/tokens', { body: { ...body, containers: [`/${number}/`] } });
  await ask('POST', '/tokens', { body: { ...body, id: number } });
  await ask('POST', '/tokens', { body: { ...body, mask: { number: `{{ "${number}" }}` } } });
  await ask('POST', '/tokens', {
    body: { ...body, search_indexes: [`{{ data.number | append: '${number}' }}`] },
  });
  await ask('POST', '/tokens', { body: { ...body, fingerprint_expression: `{{ data.nothing }} ${number}` } });
  await ask('GET', `/tokens/${first.body.id}`);
  const read = await ask<{ data: object }>('GET', `/tokens/${first.body.id}`, {
    key: revealing,
    shows: true,
  });
  assert.equal(read.body.data, body.data);
  return { id: first.body.id, number };
}

async function keepOthers({ ask, canaries, revealing }: Subject): Promise<void> {
  const whole = {
    number: { type: 'card_number', data: canaries.make('card', 'POST /tokenize: a card number') },
    account: {
      type: 'bank',
      data: {
        routing_number: '021000021',
        account_number: canaries.make('account', 'POST /tokenize: account'),
      },
    },
    password: {
      type: 'token',
      data: { nested: [{ password: canaries.make('text', 'POST /tokenize: nested text') }] },
      search_indexes: ['{{ data.nested[0].password }}'],
      fingerprint_expression: '{{ data.nested[0].password }}',
      mask: { nested: '{{ data.nested[0].password | reveal_last: 2 }}' },
    },
    plain: canaries.make('text', 'POST /tokenize: a plain value'),
    template: `a text with ${canaries.make('card', 'POST /tokenize: within a text')} in it`,
  };
  const headers = { 'BT-IDEMPOTENCY-KEY': `batch ${Math.random()}` };
  const made = await ask<Record<string, Token | string>>('POST', '/tokenize', { body: whole, headers });
  assert.is(made.status, 200, JSON.stringify(made.body));
  await ask('POST', '/tokenize', { body: whole, headers });
  const spoilt = {
    ...whole,
    bad: { type: 'card', data: { number: canaries.make('card', 'POST /tokenize: beside a fault') } },
    worse: { type: 'card_number', data: canaries.make('text', 'POST /tokenize: no card number') },
  };
  await ask('POST', '/tokenize', { body: spoilt });
  await ask('POST', '/tokenize', {
    body: { [canaries.make('card', 'POST /tokenize: a name', true)]: { type: 'x' } },
  });
  const ids = Object.values(made.body).map((token) => (typeof token === 'string' ? token : token.id));
  const body = Object.fromEntries(ids.map((id, index) => [`t${index}`, `{{ ${id} }}`]));
  assert.is((await ask('POST', '/detokenize', { key: revealing, body, shows: true })).status, 200);
  await ask('POST', '/detokenize', { body });
  const clear = canaries.make('card', 'POST /detokenize: beside expressions');
  await ask('POST', '/detokenize', { key: revealing, body: { ...body, clear }, shows: true });
  await ask('POST', '/detokenize', { body: { clear, wrong: '{{ nothing | at: all' } });
  const id = canaries.make('card', 'POST /detokenize: in the place of an id', true);
  await ask('POST', '/detokenize', { body: { a: `{{ ${id} }}` } });
  await ask('POST', '/detokenize', {
    key: revealing,
    body: { a: `{{ ${ids[2] ?? ''} | json: '$.${clear}' }}` },
  });
}

/** Also by requests that are refused, and by a patch that is repeated. */
async function changeAndFind(
  { ask, canaries, revealing }: Subject,
  { id, number }: Token & { number: string },
): Promise<void> {
  const other = canaries.make('card', 'PATCH /tokens/{id}: number');
  for (const query of [`data:${number}`, `data:${other} NOT`, `fingerprint:${other}`, `id:${number}`]) {
    await ask('POST', '/tokens/search', { body: { query } });
    await ask('POST', '/v2/tokens/search', { key: revealing, body: { query }, shows: true });
  }
  await ask('GET', '/tokens?size=100');
  await ask('GET', '/v2/tokens?size=100', { key: revealing, shows: true });
  const headers = { 'BT-IDEMPOTENCY-KEY': `patch ${Math.random()}` };
  const body = { data: { number: other, expiration_month: 1, expiration_year: 2036 } };
  assert.is(
    (await ask('PATCH', `/tokens/${id}`, { key: revealing, body, headers, shows: true })).status,
    200,
  );
  await ask('PATCH', `/tokens/${id}`, { key: revealing, body, headers, shows: true });
  await ask('PATCH', `/tokens/${id}`, { body: { metadata: { note: other } } });
  // Backwards, a number that ends in 1 passes for a time in microseconds, which is let through.
  const backwards = [...other].reverse().join('');
  if (!backwards.startsWith('1')) {
    await ask('PATCH', `/tokens/${id}`, { body: { metadata: { note: backwards } } });
  }
  await ask('PATCH', `/tokens/${id}`, {
    body: { metadata: { note: Buffer.from(other).toString('base64') } },
  });
  await ask('PATCH', `/tokens/${id}`, { body: { data: { number: `${other}1` } } });
  assert.is((await ask('DELETE', `/tokens/${id}`)).status, 204);
  await ask('GET', `/tokens/${id}`);
}

/** Cards with their codes on their way to providers, authentication and the updater. */
async function payWith({ ask, canaries, owned, service }: Subject): Promise<void> {
  const data = {
    number: canaries.make('card', 'payments: number'),
    cvc: canaries.code('payments: code'),
    expiration_month: 12,
    expiration_year: 2035,
  };
  const { id } = (await ask<Token>('POST', '/tokens', { body: { type: 'card', data } })).body;
  const payment = { amount: 1050, currency: 'USD', connection_id: owned.connection };
  const paid = await ask<Token>('POST', '/orchestration/transactions', {
    body: { ...payment, token: id, intent: 'authorize' },
  });
  assert.is(paid.status, 201, JSON.stringify(paid.body));
  await ask('POST', `/orchestration/transactions/${paid.body.id}/capture`, { body: {} });
  await ask('POST', '/orchestration/transactions', { body: { ...payment, token: data.number } });
  const fields = ['private_key', 'webhook_signing_secret'].map((key) => ({
    key,
    value: canaries.make('text', `connections: ${key}`),
  }));
  const connection = {
    connection_formula_id: 'stripe-card',
    method: 'card',
    display_name: 'secret',
    fields,
    accepted_countries: ['US'],
    accepted_currencies: ['USD'],
    active: true,
  };
  await ask('POST', '/orchestration/connections', { body: connection });
  await ask('POST', '/orchestration/connections', {
    body: { ...connection, fields: [...fields, { key: 1 }] },
  });
  const session = await ask<Token>('POST', '/3ds/sessions', { body: { token_id: id } });
  await ask('POST', `/3ds/sessions/${session.body.id}/authenticate`, {
    body: { not_known: canaries.make('card', '3DS: an unknown member') },
  });
  await ask('POST', '/account-updater/real-time', { body: { token_id: id } });
  const job = await ask<{ upload_url: string }>('POST', '/account-updater/jobs', { shows: true });
  const number = canaries.make('card', 'account updater: a number in the place of a token');
  const merchant = canaries.make('card', 'account updater: a number in the place of a merchant');
  const rows = [`${id},2035,12,`, `${number},2035,12,`, `${id},2035,12,${merchant}`, `"${number}`];
  const { pathname, search } = new URL(job.body.upload_url);
  const file = ['token,expiration_year,expiration_month,merchant_id', ...rows].join('\n');
  const uploaded = await fetch(`${service.url}${pathname}${search}`, { method: 'PUT', body: file });
  assert.is(uploaded.status, 200, await uploaded.text());
}
