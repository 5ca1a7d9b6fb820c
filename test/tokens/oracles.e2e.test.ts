import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Token = Record<string, unknown> & { id: string; fingerprint?: string; detail: string };

/** Cards of one issuer, all of which pass Luhn. */
const numbers = ['4045190192782918', '4085681305224542', '4773393860690177', '4012888888881881'] as const;
const cardOf = (number: string, more: object = {}) => ({
  type: 'card',
  data: { number, expiration_month: 1, expiration_year: 2031 },
  ...more,
});

let service: VaultService;
const oracles = suite('what answers tell of data that is hidden');

oracles.before(async () => {
  service = await startVaultService();
});
oracles.after(() => service.close());

const post = (body: object, key?: string): Promise<Reply<Token>> =>
  service.call<Token>('POST', '/tokens', body, key === undefined ? {} : { key });
const patch = (id: string, body: object, key?: string): Promise<Reply<Token>> =>
  service.call<Token>('PATCH', `/tokens/${id}`, body, key === undefined ? {} : { key });
const made = async (body: object, key?: string): Promise<Token> => {
  const reply = await post(body, key);
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
};
const ruled = (transform: string, ...permissions: string[]): Promise<string> =>
  service.ruledKey({ container: '/', transform, permissions: permissions.map((one) => `token:${one}`) });
const newApplication = async (application: object): Promise<string> => {
  const reply = await service.call<{ key: string }>('POST', '/applications', application, {
    key: service.keys.management,
  });
  assert.is(reply.status, 201);
  return reply.body.key;
};

oracles('given rights that redact, when a part of the data is to be fingerprinted, then 403', async () => {
  const { id } = await made(cardOf(numbers[0]));
  const key = await newApplication({
    name: 'a',
    type: 'public',
    rules: [
      { priority: 1, container: '/pci/', transform: 'redact', permissions: ['token:create', 'token:update'] },
    ],
  });
  const own = await made(cardOf(numbers[1], { fingerprint_expression: "{{ '4' }}" }), key);
  assert.not.ok('fingerprint' in own);
  for (const deduplicate_token of [true, false]) {
    const body = { fingerprint_expression: '{{ data.number | slice: 3, 1 }}', deduplicate_token };
    const reply = await patch(id, body, key);
    assert.is(reply.status, 403);
    assert.match(reply.body.detail, /fingerprint_expression.*reveal/);
  }
});

oracles(
  'given plain permissions, when indexes or containers change, then 403, unless all data is given',
  async () => {
    const { id } = await made({ type: 'token', data: { a: 'secret', b: 1 }, containers: ['/x/'] });
    const changes = [
      { search_indexes: ['{{ data.a | slice: 0, 3 }}'] },
      { fingerprint_expression: '{{ data.a | slice: 0, 1 }}' },
      { containers: ['/low/'] },
    ];
    for (const change of changes) {
      for (const data of [undefined, { a: 'mine' }]) {
        assert.is((await patch(id, { ...change, data })).status, 403, JSON.stringify(change));
      }
    }
    const unchanged = { containers: ['/x/'], search_indexes: null, fingerprint_expression: null };
    assert.is((await patch(id, unchanged)).status, 200);
    for (const change of changes) {
      assert.is((await patch(id, { ...change, data: { a: 'mine', b: 2 } })).status, 200);
    }
    const key = await ruled('reveal', 'read', 'update');
    assert.is((await patch(id, { containers: ['/y/'], search_indexes: ['{{ data.a }}'] }, key)).status, 200);
  },
);

oracles('given rights that redact, then no answer has a fingerprint, and none is found by one', async () => {
  const data = 'a secret that is redacted';
  const { id, fingerprint } = await made({ type: 'token', data, search_indexes: ['{{ data }}'] });
  assert.type(fingerprint, 'string');
  const key = await ruled('redact', 'create', 'read', 'search', 'update');
  const call = <Body>(method: string, path: string, body?: unknown): Promise<Reply<Body>> =>
    service.call<Body>(method, path, body, { key });
  const lists = [
    await call<{ data: Token[] }>('GET', `/tokens?id=${id}`),
    await call<{ data: Token[] }>('GET', `/v2/tokens?id=${id}`),
    await call<{ data: Token[] }>('POST', '/tokens/search', { query: `id:${id}` }),
    await call<{ data: Token[] }>('POST', '/v2/tokens/search', { query: `id:${id}` }),
  ];
  for (const { body } of lists) assert.is(body.data.length, 1);
  const answers: unknown[] = [
    ...lists,
    await call('GET', `/tokens/${id}`),
    await call('POST', '/detokenize', { a: `{{ token: ${id} }}` }),
    await patch(id, { metadata: { a: 'b' } }, key),
    await post({ type: 'token', data, deduplicate_token: true }, key),
    await call('POST', '/tokenize', { a: { type: 'token', data, deduplicate_token: true } }),
  ];
  for (const answer of answers) assert.not.match(JSON.stringify(answer), /"fingerprint":/);
  const found = [
    await call<{ data: Token[] }>('GET', `/tokens?fingerprint=${String(fingerprint)}`),
    await call<{ data: Token[] }>('GET', `/v2/tokens?fingerprint=${String(fingerprint)}`),
    await call<{ data: Token[] }>('POST', '/tokens/search', { query: `fingerprint:${String(fingerprint)}` }),
    await call<{ data: Token[] }>('POST', '/tokens/search', { query: `data:"${data}"` }),
    await call<{ data: Token[] }>('POST', '/v2/tokens/search', { query: `data:"${data}"` }),
  ];
  for (const { status, body } of found) assert.equal([status, body.data], [200, []]);
  const either = await call<{ data: Token[] }>('POST', '/tokens/search', {
    query: `data:"${data}" OR id:${id}`,
  });
  assert.equal(
    either.body.data.map((token) => token.id),
    [id],
  );
});

oracles('given rights that mask, then fingerprints are those of the default expression only', async () => {
  const usual = await made({ type: 'token', data: 'masked, usual' });
  const own = await made({
    type: 'token',
    data: 'masked, own',
    fingerprint_expression: '{{ data | slice: 0, 1 }}',
  });
  assert.type(usual.fingerprint, 'string');
  assert.not.ok('fingerprint' in own);
  const key = await ruled('reveal', 'read', 'create');
  const read = async (id: string, by?: string): Promise<Token> =>
    (await service.call<Token>('GET', `/tokens/${id}`, undefined, by === undefined ? {} : { key: by })).body;
  assert.is((await read(usual.id)).fingerprint, usual.fingerprint);
  assert.not.ok('fingerprint' in (await read(own.id)));
  const { fingerprint } = await read(own.id, key);
  assert.type(fingerprint, 'string');
  const list = await service.call<{ data: Token[] }>('GET', `/v2/tokens?fingerprint=${String(fingerprint)}`);
  assert.equal(list.body.data, []);
  const byRevealing = await service.call<{ data: Token[] }>(
    'GET',
    `/v2/tokens?fingerprint=${String(fingerprint)}`,
    undefined,
    { key },
  );
  assert.equal(
    byRevealing.body.data.map(({ id }) => id),
    [own.id],
  );
});

oracles(
  'given a caller who may not read the twin, then a new token is made, as if there were none',
  async () => {
    const body = cardOf(numbers[2], { deduplicate_token: true });
    const first = await made(body);
    const keys = [
      service.keys.public,
      await ruled('mask', 'create'),
      await ruled('redact', 'create', 'read'),
      await service.ruledKey(
        { container: '/elsewhere/', permissions: ['token:read'] },
        {
          container: '/pci/',
          permissions: ['token:create'],
        },
      ),
    ];
    for (const key of keys) {
      const other = await made(body, key);
      const alone = await made(cardOf(numbers[3], { deduplicate_token: true }), key);
      assert.is.not(other.id, first.id);
      assert.equal(Object.keys(other).sort(), Object.keys(alone).sort());
    }
    assert.is((await made(body)).id, first.id);
  },
);

oracles('given an update to the data of a token that the caller may not read, then it is made', async () => {
  const first = await made({ type: 'token', data: 'twin of the update' });
  const { id } = await made({ type: 'token', data: 'something else' });
  const body = { data: 'twin of the update', deduplicate_token: true };
  const reply = await patch(id, body, service.keys.public);
  assert.equal([reply.status, reply.body.id], [200, id]);
  assert.is.not(first.id, id);
});

oracles('given public_fingerprints, then the twin is answered with its id and fingerprint', async () => {
  const application = { name: 'shop', type: 'public', permissions: ['token:create'] };
  const key = await newApplication({ ...application, public_fingerprints: true });
  const hidden = await newApplication(application);
  const body = { type: 'token', data: 'public twin', deduplicate_token: true };
  const first = await made(body);
  assert.equal(await made(body, key), {
    id: first.id,
    type: 'token',
    tenant_id: service.tenantId,
    fingerprint: first.fingerprint,
    containers: ['/general/high/'],
  });
  assert.type((await made({ type: 'token', data: 'told' }, key)).fingerprint, 'string');
  assert.not.ok('fingerprint' in (await made({ type: 'token', data: 'untold' }, hidden)));
  const options = { key: service.keys.management };
  const list = await service.call<{ data: Record<string, unknown>[] }>(
    'GET',
    '/applications',
    undefined,
    options,
  );
  const told = list.body.data.filter((one) => one['public_fingerprints'] === true);
  assert.is(told.length, 1);
  const change = async (content: object): Promise<unknown> => {
    const path = `/applications/${String(told[0]?.['id'])}`;
    return (await service.call<Token>('PUT', path, content, options)).body['public_fingerprints'];
  };
  const { type, ...rights } = application;
  assert.is(type, 'public');
  assert.is(await change(rights), true);
  assert.is(await change({ ...rights, public_fingerprints: false }), undefined);
});

oracles('given a literal in the place of the data, then it is the twin of nothing else', async () => {
  const bank = (account_number: string) => ({ routing_number: '021000021', account_number });
  const poison = await made(
    {
      type: 'bank',
      data: bank('999888777666'),
      fingerprint_expression: '{{ data.account_number | slice: 0, 0 }}000123456790|021000021',
    },
    service.keys.public,
  );
  const literal = await made(
    { type: 'bank', data: bank('999888777666'), fingerprint_expression: '000123456790|021000021' },
    service.keys.public,
  );
  const payee = await made({ type: 'bank', data: bank('000123456790'), deduplicate_token: true });
  assert.not.ok([poison.id, literal.id].includes(payee.id));
  const again = await made({ type: 'bank', data: bank('000123456790'), deduplicate_token: true });
  assert.is(again.id, payee.id);
});

oracles('given the same expression, then tokens are twins by it, where the caller may know it', async () => {
  const body = {
    type: 'token',
    data: { a: 1, b: 2 },
    fingerprint_expression: '{{ data.a }}',
    deduplicate_token: true,
  };
  const key = await ruled('reveal', 'create', 'read');
  const first = await made(body, key);
  assert.is((await made({ ...body, data: { a: 1, b: 3 } }, key)).id, first.id);
  const other = { ...body, data: { a: 1, b: 3 }, fingerprint_expression: '{{ data.a | to_string }}' };
  assert.is.not((await made(other, key)).id, first.id);
});

oracles(
  'given a twin that was there before, when an update changes no fingerprint, then it is made',
  async () => {
    const twins = [await made(cardOf('4242424242424242')), await made(cardOf('4242424242424242'))];
    const [older, younger] = twins as [Token, Token];
    for (const { id } of twins) {
      const body = { data: { expiration_year: 2035 }, deduplicate_token: true, metadata: { y: '2' } };
      const reply = await patch(id, body);
      assert.equal([reply.status, reply.body.id, reply.body['metadata']], [200, id, { y: '2' }]);
    }
    assert.is.not(older.id, younger.id);
  },
);

oracles('given twins, when the older is changed, then it is still the one that is answered', async () => {
  const body = { type: 'token', data: 'twins of an age' };
  const older = await made(body);
  await made(body);
  const wanted = { ...body, deduplicate_token: true };
  assert.is((await made(wanted)).id, older.id);
  await patch(older.id, { metadata: { x: '1' } });
  assert.is((await made(wanted)).id, older.id);
  const { id } = await made({ type: 'token', data: 'to become one' });
  const matched = await patch(id, { data: body.data, deduplicate_token: true });
  assert.equal([matched.status, matched.body.id], [200, older.id]);
});

oracles.run();
