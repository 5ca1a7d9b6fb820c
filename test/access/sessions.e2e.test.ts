import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { expireSessions } from '#src/timers/expire.ts';
import { createExpiring } from '#infra/postgres/expiring.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Session = { session_key: string; nonce: string; expires_at: string };
type Token = { id: string; data?: unknown };
type Problem = { detail: string; errors: Record<string, string[]> };

let service: VaultService;
/** An application that may read everything in the clear. */
let reveals: string;
const sessions = suite('sessions');

sessions.before(async () => {
  service = await startVaultService();
  reveals = await service.ruledKey({
    container: '/',
    transform: 'reveal',
    permissions: ['token:create', 'token:read', 'token:search', 'token:update'],
  });
});
sessions.after(() => service.close());

async function open(): Promise<Session> {
  const reply = await service.call<Session>('POST', '/sessions', undefined, { key: service.keys.public });
  assert.is(reply.status, 201);
  return reply.body;
}

const authorize = (nonce: string, rights: object, key = reveals): Promise<Reply<Problem>> =>
  service.call<Problem>('POST', '/sessions/authorize', { nonce, ...rights }, { key });

async function authorized(rights: object, key = reveals): Promise<string> {
  const { session_key, nonce } = await open();
  assert.is((await authorize(nonce, rights, key)).status, 200);
  return session_key;
}

async function newToken(body: object = {}): Promise<string> {
  const reply = await service.call<Token>('POST', '/tokens', { type: 'token', data: 'secret', ...body });
  assert.is(reply.status, 201);
  return reply.body.id;
}

const rule = (changes: object) => ({
  priority: 1,
  transform: 'reveal',
  permissions: ['token:read'],
  ...changes,
});
const idEquals = (value: string) => ({ attribute: 'id', operator: 'equals', value });

sessions('given a public key, when it opens a session, then that lives three minutes', async () => {
  const { session_key, nonce, expires_at } = await open();
  assert.match(session_key, /^key_dev_ses_/);
  assert.match(nonce, /^[0-9a-f-]{36}$/);
  const lifetime = Date.parse(expires_at) - Date.now();
  assert.ok(lifetime > 170_000 && lifetime <= 180_000);
});

sessions('given a session that nobody authorized, then its key opens nothing: 401', async () => {
  const { session_key } = await open();
  assert.is((await service.call('GET', '/tokens', undefined, { key: session_key })).status, 401);
});

sessions('given a rule for one token, then the session sees that one and no other', async () => {
  const [mine, other] = [await newToken(), await newToken()];
  const key = await authorized({ rules: [rule({ conditions: [idEquals(mine)] })] });
  const read = await service.call<Token>('GET', `/tokens/${mine}`, undefined, { key });
  assert.is(read.body.data, 'secret');
  assert.is((await service.call('GET', `/tokens/${other}`, undefined, { key })).status, 403);
  const list = await service.call<{ data: Token[]; pagination: { total_items: number } }>(
    'GET',
    '/tokens',
    undefined,
    { key },
  );
  assert.equal(
    list.body.data.map(({ id }) => id),
    [mine],
  );
  assert.is(list.body.pagination.total_items, 1);
  assert.is((await service.call('DELETE', `/tokens/${mine}`, undefined, { key })).status, 403);
});

sessions(
  'given conditions on containers and beginnings of ids, then lists hold what meets them',
  async () => {
    const inside = await newToken({ id: 'walk-1', containers: ['/walk/high/'] });
    await newToken({ id: 'walk-2', containers: ['/walk/low/'] });
    await newToken({ id: 'run-1', containers: ['/walk/high/'] });
    const conditions = [
      { attribute: 'id', operator: 'starts_with', value: 'walk-' },
      { attribute: 'container', operator: 'starts_with', value: '/walk/h' },
    ];
    const key = await authorized({
      rules: [rule({ conditions, permissions: ['token:read', 'token:search'] })],
    });
    for (const found of [
      await service.call<{ data: Token[] }>('GET', '/tokens', undefined, { key }),
      await service.call<{ data: Token[] }>('GET', '/v2/tokens', undefined, { key }),
      await service.call<{ data: Token[] }>('POST', '/tokens/search', { query: 'type:token' }, { key }),
    ]) {
      assert.equal(
        found.body.data.map(({ id }) => id),
        [inside],
      );
    }
  },
);

sessions('given plain permissions, then the session creates tokens, as the public application', async () => {
  const key = await authorized({ permissions: ['token:create'] });
  const reply = await service.call<{ created_by: string }>(
    'POST',
    '/tokens',
    { type: 'token', data: 'x' },
    { key },
  );
  assert.is(reply.status, 201);
  const self = await service.call<{ id: string }>('GET', '/applications/key', undefined, {
    key: service.keys.public,
  });
  assert.is(reply.body.created_by, self.body.id);
});

sessions('given an application that only sees masks, then so does its session', async () => {
  const id = await newToken({ mask: '{{ data | reveal_last: 2 }}' });
  const masks = rule({ container: '/', transform: 'mask' });
  const key = await authorized({ rules: [masks] }, service.keys.private);
  const read = await service.call<Token>('GET', `/tokens/${id}`, undefined, { key });
  assert.is(read.body.data, 'XXXXet');
  const { nonce } = await open();
  const refused = await authorize(nonce, { rules: [rule({ container: '/' })] }, service.keys.private);
  assert.is(refused.status, 403);
  assert.match(refused.body.detail, /can never reveal/);
});

sessions('given a permission that the application lacks, then it cannot give it: 403', async () => {
  const narrow = await service.ruledKey({ container: '/a/', permissions: ['token:read'] });
  const { nonce } = await open();
  const refused = await authorize(nonce, { permissions: ['token:delete'] }, narrow);
  assert.is(refused.status, 403);
  assert.match(refused.body.detail, /token:delete/);
  // Nothing was used up.
  assert.is((await authorize(nonce, { permissions: ['token:read'] }, narrow)).status, 200);
});

sessions('given a nonce that was used, then 409; one that is unknown or foreign, then 404', async () => {
  const { nonce } = await open();
  const rights = { permissions: ['token:read'] };
  assert.is((await authorize(nonce, rights)).status, 200);
  assert.is((await authorize(nonce, rights)).status, 409);
  assert.is((await authorize('00000000-0000-4000-8000-000000000000', rights)).status, 404);
  assert.is((await authorize('nonsense', rights)).status, 404);
  const others = await service.anotherTenant();
  const fresh = await open();
  assert.is((await authorize(fresh.nonce, rights, others.private)).status, 404);
  assert.is((await authorize(fresh.nonce, rights)).status, 200);
});

sessions('given ten who use one nonce at once, then one of them does', async () => {
  const { nonce } = await open();
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => authorize(nonce, { permissions: ['token:read'] })),
  );
  assert.equal(replies.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 409)]);
});

sessions('given a session whose time has come, then 401, its nonce is gone, and it is swept', async () => {
  const { session_key: key, nonce } = await open();
  const expires_at = new Date(Date.now() + 900).toISOString();
  assert.is((await authorize(nonce, { permissions: ['token:read'], expires_at })).status, 200);
  assert.is((await service.call('GET', '/tokens', undefined, { key })).status, 200);
  await sleep(950);
  assert.is((await service.call('GET', '/tokens', undefined, { key })).status, 401);
  assert.is((await authorize(nonce, { permissions: ['token:read'] })).status, 404);
  const { composition } = service;
  await expireSessions(composition, createExpiring(composition.pools.owner)).run();
  await until(async () => {
    const { rows } = await composition.pools.owner.query<{ sessions: string; credentials: string }>(
      `select (select count(*) from read_models.sessions where id = $1) as sessions,
         (select count(*) from vault.credentials where key_id = $1) as credentials`,
      [nonce],
    );
    return rows[0]?.sessions === '0' && rows[0].credentials === '0';
  });
});

sessions('given the application that vouches for it is deleted, then the session ends', async () => {
  const made = await service.call<{ id: string; key: string }>(
    'POST',
    '/applications',
    { name: 'short', type: 'private', permissions: ['token:read'] },
    { key: service.keys.management },
  );
  const key = await authorized({ permissions: ['token:read'] }, made.body.key);
  assert.is((await service.call('GET', '/tokens', undefined, { key })).status, 200);
  await service.call('DELETE', `/applications/${made.body.id}`, undefined, { key: service.keys.management });
  await until(async () => (await service.call('GET', '/tokens', undefined, { key })).status === 401);
});

sessions('given the wrong type of application, then 403', async () => {
  for (const key of [service.keys.private, service.keys.management]) {
    assert.is((await service.call('POST', '/sessions', undefined, { key })).status, 403);
  }
  const { nonce } = await open();
  const rights = { permissions: ['token:read'] };
  assert.is((await authorize(nonce, rights, service.keys.public)).status, 403);
  assert.is((await authorize(nonce, rights, service.keys.management)).status, 403);
  const key = await authorized(rights);
  assert.is((await authorize(nonce, rights, key)).status, 403);
  assert.is((await service.call('POST', '/sessions', undefined, { key })).status, 403);
});

sessions.run();
