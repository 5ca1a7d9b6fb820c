import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDestination } from '#test/proxies/support/destination.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Application = { id: string; key: string; origins?: string[] };
type Problem = { detail: string; errors?: Record<string, string[]> };

const shop = 'https://shop.example';
const token = { type: 'token', data: 'secret' };

let service: VaultService;
const origins = suite('pages of other origins');

origins.before(async () => {
  service = await startVaultService({ environment: { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' } });
});
origins.after(() => service.close());

const preflight = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, {
    method: 'OPTIONS',
    headers: {
      Origin: shop,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'bt-api-key,content-type',
      ...headers,
    },
  });

const allowed = ({ headers }: { headers: Headers }): string | null =>
  headers.get('access-control-allow-origin');

const from = (origin: string, key: string) => ({ key, headers: { Origin: origin } });

const newApplication = async (members: object): Promise<Application> => {
  const { status, body } = await service.call<Application>(
    'POST',
    '/applications',
    { name: 'shop', type: 'public', permissions: ['token:create'], ...members },
    { key: service.keys.management },
  );
  assert.is(status, 201, JSON.stringify(body));
  return body;
};

const createFrom = async (origin: string, key: string): Promise<number> =>
  (await service.call('POST', '/tokens', token, from(origin, key))).status;

origins(
  'given a preflight, which has no key, then any origin may send any header, and it is kept',
  async () => {
    for (const path of ['/tokens', '/tokens/1', '/tokenize', '/sessions', '/proxy/a/b', '/nothing']) {
      const answer = await preflight(path);
      assert.is(answer.status, 204, path);
      assert.is(allowed(answer), '*');
      assert.is(answer.headers.get('access-control-allow-headers'), 'bt-api-key,content-type');
      assert.match(answer.headers.get('access-control-allow-methods') ?? '', 'PATCH');
      assert.ok(Number(answer.headers.get('access-control-max-age')) >= 7_200);
      assert.is(answer.headers.get('access-control-allow-credentials'), null);
      assert.is(await answer.text(), '');
    }
  },
);

origins('given OPTIONS that is no preflight, then it names the methods', async () => {
  const answer = await fetch(`${service.url}/tokens`, { method: 'OPTIONS', headers: { Origin: shop } });
  assert.is(answer.status, 204);
  assert.is(answer.headers.get('allow'), 'GET, HEAD, OPTIONS, POST');
});

origins('given headers that are none, when they are asked for, then they are not repeated', async () => {
  const answer = await preflight('/tokens', { 'Access-Control-Request-Headers': 'a/b' });
  assert.is(answer.headers.get('access-control-allow-headers'), '*');
});

origins(
  'given a public key, then pages may read its answers, refusals too, and the headers that tell',
  async () => {
    const created = await service.call('POST', '/tokens', token, from(shop, service.keys.public));
    assert.is(created.status, 201);
    assert.is(allowed(created), '*');
    const exposed = created.headers.get('access-control-expose-headers')?.split(', ') ?? [];
    for (const name of ['BT-TRACE-ID', 'Retry-After', 'RateLimit', 'RateLimit-Policy']) {
      assert.ok(exposed.includes(name), name);
    }
    const options = from(shop, service.keys.public);
    assert.is(allowed(await service.call('POST', '/tokens', { type: 'nothing' }, options)), '*');
    assert.is(allowed(await service.call('GET', '/tokens', undefined, options)), '*');
    assert.is(allowed(await service.call('GET', '/nothing', undefined, options)), '*');
  },
);

origins('given a session, then pages may read its answers', async () => {
  const options = from(shop, service.keys.public);
  const { body: created } = await service.call<{ id: string }>('POST', '/tokens', token);
  const opened = await service.call<{ nonce: string; session_key: string }>(
    'POST',
    '/sessions',
    undefined,
    options,
  );
  assert.is(allowed(opened), '*');
  const before = await service.call(
    'GET',
    `/tokens/${created.id}`,
    undefined,
    from(shop, opened.body.session_key),
  );
  assert.is(before.status, 401);
  assert.is(allowed(before), '*');
  const rights = { nonce: opened.body.nonce, permissions: ['token:read'] };
  const authorized = await service.call(
    'POST',
    '/sessions/authorize',
    rights,
    from(shop, service.keys.private),
  );
  assert.is(authorized.status, 200);
  assert.is(allowed(authorized), null);
  const read = await service.call(
    'GET',
    `/tokens/${created.id}`,
    undefined,
    from(shop, opened.body.session_key),
  );
  assert.is(read.status, 200);
  assert.is(allowed(read), '*');
});

origins('given an unknown key or none, then pages may read that it is refused', async () => {
  const unknown = await service.call('GET', '/tokens', undefined, from(shop, 'key_dev_pub_x'));
  assert.equal([unknown.status, allowed(unknown)], [401, '*']);
  const none = await fetch(`${service.url}/tokens`, { headers: { Origin: shop } });
  assert.equal([none.status, allowed(none)], [401, '*']);
});

origins('given a private or management key, then no page may read an answer, whatever it is', async () => {
  for (const key of [service.keys.private, service.keys.management]) {
    for (const [method, path, body] of [
      ['GET', '/tokens'],
      ['GET', '/applications'],
      ['POST', '/tokens', token],
      ['POST', '/tokens', { type: 'nothing' }],
      ['DELETE', '/tokens'],
      ['GET', '/nothing'],
      ['GET', '/tokens/%ff'],
    ] as const) {
      const answer = await service.call(method, path, body, from(shop, key));
      assert.is(allowed(answer), null, `${method} ${path}`);
      assert.is(answer.headers.get('access-control-expose-headers'), null);
    }
  }
});

origins('given pages that ask for no key, then those of others may not read them', async () => {
  for (const path of ['/healthz', '/metrics', '/docs']) {
    assert.is(allowed(await fetch(`${service.url}${path}`, { headers: { Origin: shop } })), null, path);
  }
});

origins('given a destination that lets pages read its answer, then it decides nothing here', async () => {
  const destination = await startDestination();
  destination.answer = (response) => {
    response
      .setHeader('Access-Control-Allow-Origin', shop)
      .setHeader('Access-Control-Allow-Credentials', 'true');
    response.end('{}');
  };
  const through = async (key: string) => {
    const headers = { Origin: shop, 'BT-PROXY-URL': destination.url };
    const answer = await service.call('POST', '/proxy', {}, { key, headers });
    assert.is(answer.status, 200);
    assert.is(answer.headers.get('access-control-allow-credentials'), null);
    return allowed(answer);
  };
  assert.is(await through(service.keys.private), null);
  const { body: session } = await service.call<{ nonce: string; session_key: string }>(
    'POST',
    '/sessions',
    undefined,
    {
      key: service.keys.public,
    },
  );
  const rights = { nonce: session.nonce, permissions: ['token:use'] };
  assert.is((await service.call('POST', '/sessions/authorize', rights)).status, 200);
  assert.is(await through(session.session_key), '*');
  await destination.close();
});

origins('given a request of no page, then nothing is said of origins', async () => {
  assert.is(allowed(await service.call('POST', '/tokens', token, { key: service.keys.public })), null);
});

origins(
  'given origins of a public application, then pages of others are 403, and so for its sessions',
  async () => {
    const { key, id, origins: named } = await newApplication({ origins: [shop, 'http://localhost:8080'] });
    assert.equal(named, [shop, 'http://localhost:8080']);
    assert.is(await createFrom(shop, key), 201);
    assert.is(await createFrom('http://localhost:8080', key), 201);
    for (const other of [
      'https://evil.example',
      'https://shop.example.evil.example',
      'http://shop.example',
      'null',
    ]) {
      const refused = await service.call<Problem>('POST', '/tokens', token, from(other, key));
      assert.is(refused.status, 403, other);
      assert.is(allowed(refused), '*');
      assert.match(refused.body.detail, 'origins');
    }
    assert.is((await service.call('POST', '/tokens', token, { key })).status, 201);
    const opened = await service.call<{ nonce: string; session_key: string }>(
      'POST',
      '/sessions',
      undefined,
      from(shop, key),
    );
    const rights = { nonce: opened.body.nonce, permissions: ['token:create'] };
    assert.is((await service.call('POST', '/sessions/authorize', rights)).status, 200);
    assert.is(await createFrom(shop, opened.body.session_key), 201);
    assert.is(await createFrom('https://evil.example', opened.body.session_key), 403);
    const update = { key: service.keys.management };
    const path = `/applications/${id}`;
    const rename = (members: object) =>
      service.call<Application>('PUT', path, { name: 'x', ...members }, update);
    assert.equal((await rename({})).body.origins, named);
    assert.equal((await rename({ origins: null })).body.origins, named);
    assert.equal((await rename({ origins: ['https://other.example'] })).body.origins, [
      'https://other.example',
    ]);
    assert.is(await createFrom(shop, key), 403);
    assert.is(await createFrom('https://other.example', opened.body.session_key), 201);
    assert.is((await rename({ origins: [] })).body.origins, undefined);
    assert.is(await createFrom(shop, key), 201);
    const shown = await service.call<Application>('GET', '/applications/key', undefined, { key });
    assert.is(shown.body.origins, undefined);
  },
);

const wrong: [string, object, string][] = [
  ['a path', { origins: ['https://shop.example/'] }, 'origins[0]'],
  ['a host alone', { origins: [shop, 'shop.example'] }, 'origins[1]'],
  ['capitals', { origins: ['https://Shop.example'] }, 'origins[0]'],
  ['the port that goes without saying', { origins: ['https://shop.example:443'] }, 'origins[0]'],
  ['a wildcard', { origins: ['*'] }, 'origins[0]'],
  ['a wildcard of hosts', { origins: ['https://*.shop.example'] }, 'origins[0]'],
  ['no origin of its own', { origins: ['null'] }, 'origins[0]'],
  ['a private application', { origins: [shop], type: 'private' }, 'origins'],
];
for (const [what, members, path] of wrong) {
  origins(`given ${what}, when it is named as an origin, then 400 says what would be right`, async () => {
    const reply = await service.call<Problem>(
      'POST',
      '/applications',
      { name: 'shop', type: 'public', permissions: ['token:create'], ...members },
      { key: service.keys.management },
    );
    assert.is(reply.status, 400);
    assert.ok(path in (reply.body.errors ?? {}), JSON.stringify(reply.body));
  });
}

origins.run();
