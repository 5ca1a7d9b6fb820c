import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { removeDataDirectory, request, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

const canary = suite<{ directory: string }>('plaintext');

canary.before(async (context) => {
  context.directory = await newPreparedDirectory();
});

canary.after(({ directory }) => removeDataDirectory(directory));

/*
 * Values that cannot come about by chance: each kind begins in its own way. A security code is too short for that,
 * but not the text around it.
 */
const marks = {
  card: '54545412345',
  account: '77766655544',
  text: 'canary in a coal mine',
  number: '909-09-',
  code: '"cvc":"987',
};
const counter = (n: number): string => String(n).padStart(4, '0');

function cardNumber(n: number): string {
  const digits = marks.card + counter(n);
  const sum = [...digits].reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return digits + String((10 - (sum % 10)) % 10);
}

/** A thousand tokens of five kinds, each with secrets of its own. */
const requests: object[] = Array.from({ length: 200 }, (_, n) => [
  {
    type: 'card',
    data: { number: cardNumber(n), expiration_month: 12, expiration_year: 2030, cvc: '987' },
    id: '{{ data.number | alias_card: false, true }}',
    search_indexes: ['{{ data.number }}', '{{ data.number | last4 }}'],
    deduplicate_token: n % 2 === 0,
  },
  {
    type: 'bank',
    data: { routing_number: '021000021', account_number: marks.account + counter(n) },
  },
  { type: 'social_security_number', data: marks.number + counter(n) },
  {
    type: 'token',
    data: { text: `${marks.text} ${n}`, nested: [{ again: `${marks.text} ${n}` }] },
    mask: { text: '{{ data.text | reveal_last: 2 }}' },
    search_indexes: ['{{ data.text }}'],
    fingerprint_expression: '{{ data.text }} of {{ metadata.owner }}',
    metadata: { owner: `owner ${n}` },
  },
  { type: 'card_number', data: cardNumber(n) },
]).flat();

type Token = { id: string };

/** Everything that a client can do with a secret; some of it goes wrong. */
async function useThem(service: ServiceProcess): Promise<string> {
  const { private: key, management } = service.credentials;
  const call = <Body = object>(method: string, path: string, body?: unknown, as = key) =>
    request<Body>(service, method, path, { key: as, body, headers: { 'BT-IDEMPOTENCY-KEY': path + method } });
  const tokens: Token[] = [];
  for (let start = 0; start < requests.length; start += 100) {
    const made = await request<Token[]>(service, 'POST', '/tokenize', {
      key,
      body: requests.slice(start, start + 100),
      headers: { 'BT-IDEMPOTENCY-KEY': `batch ${start}` },
    });
    assert.is(made.status, 200, JSON.stringify(made.body));
    tokens.push(...made.body);
  }
  assert.is(tokens.length, 1_000);
  const { body: application } = await call<{ key: string }>(
    'POST',
    '/applications',
    {
      name: 'revealing',
      type: 'private',
      rules: [
        { priority: 1, container: '/', transform: 'reveal', permissions: ['token:read', 'token:search'] },
      ],
    },
    management,
  );
  const revealing = application.key;
  const idOf = (n: number): string => tokens[n]?.id ?? '';
  const read = await call<{ data: unknown }>('GET', `/tokens/${idOf(0)}`, undefined, revealing);
  assert.equal(read.body.data, {
    number: cardNumber(0),
    expiration_month: 12,
    expiration_year: 2030,
    cvc: '987',
  });
  const shown = await call('POST', '/detokenize', { text: `{{ ${idOf(3)} | json: '$.text' }}` }, revealing);
  assert.equal(shown.body, { text: `${marks.text} 0` });
  for (const query of [`data:${cardNumber(5)}`, `data:"${marks.text} 5"`, `data:${marks.number}0005`]) {
    const found = await call<{ data: unknown[] }>('POST', '/tokens/search', { query }, revealing);
    assert.is(found.body.data.length, 1, query);
  }
  assert.is(
    (await call('PATCH', `/tokens/${idOf(8)}`, { data: { text: `${marks.text}, changed` } })).status,
    200,
  );
  assert.is((await call('DELETE', `/tokens/${idOf(13)}`)).status, 204);
  assert.is((await call('GET', '/tokens?size=100', undefined, revealing)).status, 200);
  for (const [method, path, body, status] of [
    ['POST', '/tokens', { type: 'card', data: { number: `${cardNumber(0)}1`, text: marks.text } }, 400],
    ['POST', '/tokens', { type: 'token', data: marks.text, id: cardNumber(1) }, 400],
    ['POST', '/tokens', { type: 'token', data: { a: marks.text }, id: '{{ data.a | unknown }}' }, 400],
    ['POST', '/tokenize', { [cardNumber(2)]: { type: marks.text, data: 1 } }, 400],
    ['POST', '/tokens/search', { query: `data:${cardNumber(3)} NOT data:"${marks.text}"` }, 400],
    ['POST', '/detokenize', `{{ ${cardNumber(4)} }}`, 400],
    ['GET', `/tokens/${cardNumber(5)}`, undefined, 404],
    ['GET', `/tokens?metadata.card=${cardNumber(6)}`, undefined, 200],
    ['GET', `/nowhere/${cardNumber(7)}`, undefined, 404],
  ] as const) {
    assert.is((await call(method, path, body)).status, status, `${method} ${path}`);
  }
  return application.key;
}

/** A configuration that is read, changed and refused. */
async function useReactor(service: ServiceProcess): Promise<void> {
  const call = async (method: string, path: string, body: object | undefined, status: number) => {
    const headers = { 'BT-IDEMPOTENCY-KEY': path + method };
    const options = { key: service.credentials.management, body, headers };
    const reply = await request<Token>(service, method, `/reactors${path}`, options);
    assert.is(reply.status, status, `${method} /reactors${path}`);
    return reply.body;
  };
  const whole = { name: 'a', code: 'b', configuration: { key: marks.text, [marks.text]: 'name' } };
  const { id } = await call('POST', '', whole, 201);
  await call('PUT', `/${id}`, whole, 200);
  await call('GET', `/${id}`, undefined, 200);
  await call('GET', '?size=100', undefined, 200);
  await call('PUT', `/${id}`, { ...whole, configuration: { key: [marks.text] } }, 400);
}

/** Prints what is no token's, so that nothing takes it out of the logs, and reads that. */
async function readLogs(service: ServiceProcess): Promise<void> {
  const { private: key, management } = service.credentials;
  const code = 'module.exports = (req) => { console.log(req.args); throw new Error(req.args.text); }';
  const body = { name: 'printing', code, configuration: {} };
  const { id } = (await request<Token>(service, 'POST', '/reactors', { key: management, body })).body;
  const printed = { body: { args: marks } };
  assert.is((await request(service, 'POST', `/reactors/${id}/react`, { key, ...printed })).status, 500);
  const logs = await until(async () => {
    const { body: found } = await request<{ data: unknown[] }>(service, 'GET', `/reactors/${id}/logs`, {
      key: management,
    });
    return found.data.length > 0 && JSON.stringify(found);
  });
  for (const mark of [marks.text, marks.account, marks.number]) assert.ok(logs.includes(mark), logs);
}

canary(
  'given a thousand tokens and a reactor that are used in every way, when all files and output are searched, then no secret is found',
  async ({ directory }) => {
    const service = await startService(directory, { LOG_LEVEL: 'debug' });
    const secretKey = await useThem(service);
    await useReactor(service);
    await readLogs(service);
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    await service.end();
    const secrets = [...Object.values(marks), secretKey].flatMap((secret) => [
      secret,
      Buffer.from(secret).toString('hex'),
    ]);
    const files = await readdir(directory, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile())) {
      const content = await readFile(join(file.parentPath, file.name));
      for (const secret of secrets) assert.not.ok(content.includes(secret), `${secret} is in ${file.name}`);
    }
    for (const secret of secrets) {
      assert.not.ok(service.said().includes(secret), `${secret} is in the output`);
      assert.not.ok(metrics.includes(secret), `${secret} is in the metrics`);
    }
  },
);

canary.run();
