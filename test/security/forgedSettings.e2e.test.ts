import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService };

/** What else decides access: sessions, settings of tenants, and whose rights code has. */
const forged = suite<Context>('a writer of the database and what else decides access');

forged.before(async (context) => {
  context.service = await startVaultService({ alone: true });
});
forged.after(({ service }) => service.close());

const sql = (service: VaultService, text: string, values: unknown[] = []) =>
  service.composition.pools.owner.query<Record<string, string>>(text, values);

const reveal = {
  description: '',
  priority: 1,
  container: '/',
  transform: 'reveal',
  permissions: ['token:read'],
};

/** A session that may read masks, of an application that may read everything in the clear. */
async function newSession(service: VaultService): Promise<{ key: string; id: string }> {
  const { call, keys } = service;
  const opened = await call<{ session_key: string; nonce: string }>('POST', '/sessions', undefined, {
    key: keys.public,
  });
  const { session_key: key, nonce: id } = opened.body;
  const rights = { nonce: id, rules: [{ ...reveal, transform: 'mask' }] };
  const voucher = await service.ruledKey(reveal);
  assert.is((await call('POST', '/sessions/authorize', rights, { key: voucher })).status, 200);
  return { key, id };
}

const changes: readonly [string, string][] = [
  ['rules', `rules = '${JSON.stringify([reveal])}'`],
  ['loan', `rules = jsonb_set(rules, '{0,lends}', '["token:read"]')`],
  ['end', `expires_at = '2999-01-01T00:00:00.000Z'`],
  ['opener', 'application_id = authorized_by'],
];

for (const [what, change] of changes) {
  forged(
    `given a session whose ${what} somebody changed in the view, when it is used, then 500 for it alone`,
    async ({ service }) => {
      const token = { type: 'token', data: 'a secret' };
      const { body } = await service.call<{ id: string }>('POST', '/tokens', token);
      const [changed, other] = [await newSession(service), await newSession(service)];
      await sql(service, `update read_models.sessions set ${change} where id = $1`, [changed.id]);
      const path = `/tokens/${body.id}`;
      const read = await service.call(`GET`, path, undefined, { key: changed.key });
      assert.is(read.status, 500);
      assert.not.match(JSON.stringify(read.body), 'a secret');
      assert.is((await service.call('GET', path, undefined, { key: other.key })).status, 200);
    },
  );
}

forged(
  'given the row of a session of before it was authorized, when it comes back, then what the log says counts',
  async ({ service }) => {
    const { call, keys } = service;
    const opened = await call<{ session_key: string; nonce: string }>('POST', '/sessions', undefined, {
      key: keys.public,
    });
    const { session_key: key, nonce } = opened.body;
    // Its row of before it was authorized, with the rights of nobody: they stay those of the log.
    await sql(service, 'create table kept_session as select * from read_models.sessions where id = $1', [
      nonce,
    ]);
    const voucher = await service.ruledKey(reveal);
    await call('POST', '/sessions/authorize', { nonce, permissions: ['token:read'] }, { key: voucher });
    await sql(
      service,
      `update read_models.sessions s set (permissions, revision, mac) = (k.permissions, k.revision, k.mac)
       from kept_session k where s.id = k.id`,
    );
    assert.is((await call('GET', '/tokens', undefined, { key })).status, 200);
  },
);

forged(
  'given settings of a tenant that somebody changed in the view, when its keys are used, then 500, and others go on',
  async ({ service }) => {
    const other = await service.anotherTenant();
    const { body } = await service.call<{ id: string }>('GET', '/tenants/self', undefined, {
      key: other.management,
    });
    const update = { name: 'x', settings: { disable_ephemeral_proxy: 'true' } };
    const updated = await service.call('PUT', '/tenants/self', update, { key: other.management });
    assert.is(updated.status, 200);
    await sql(service, `update read_models.tenants set settings = '{}' where id = $1`, [body.id]);
    const call = (key: string) =>
      service.call('GET', '/proxy', undefined, { key, headers: { 'BT-PROXY-URL': 'https://example.com' } });
    assert.is((await call(other.private)).status, 500);
    assert.is((await service.call('GET', '/tokens')).status, 200);
  },
);

const code = `module.exports = async () => ({ raw: { who: 'owner' } });`;
const attack = `module.exports = async (req) => ({ raw: { who: 'attacker', args: req.args } });`;

for (const [what, change] of [
  ['code', `code = '${attack.replaceAll("'", "''")}'`],
  ['application', 'application_id = $2'],
  ['code and its digest', `code = '${attack.replaceAll("'", "''")}', code_digest = ''`],
] as const) {
  forged(
    `given a reactor whose ${what} somebody changed in the view, when it is used or looked at, then 500`,
    async ({ service }) => {
      const { management: key } = service.keys;
      const { body } = await service.call<{ id: string }>(
        'POST',
        '/reactors',
        { name: 'r', code, configuration: {} },
        { key },
      );
      const application = await service.call<{ id: string }>(
        'POST',
        '/applications',
        { name: 'wide', type: 'private', permissions: ['token:read'] },
        { key },
      );
      const values = change.includes('$2') ? [body.id, application.body.id] : [body.id];
      await sql(service, `update read_models.reactors set ${change} where id = $1`, values);
      const ran = await service.call('POST', `/reactors/${body.id}/react`, { args: { secret: 'x' } });
      assert.not.match(JSON.stringify(ran.body), 'attacker');
      assert.is(ran.status, 500);
      assert.is((await service.call('GET', `/reactors/${body.id}`, undefined, { key })).status, 500);
      const list = await service.call<{ data: { id: string }[] }>('GET', '/reactors', undefined, { key });
      assert.not.ok(list.body.data.some(({ id }) => id === body.id));
      assert.is((await service.call('DELETE', `/reactors/${body.id}`, undefined, { key })).status, 204);
    },
  );
}

for (const [what, change] of [
  ['application', 'application_id = $2'],
  ['openness', 'require_auth = false'],
  ['code', `request_transform = 'module.exports = async (req) => req.args'`],
  ['payload', 'payload_id = gen_random_uuid()'],
] as const) {
  forged(
    `given a proxy whose ${what} somebody changed in the view, when it is used or looked at, then 500`,
    async ({ service }) => {
      const { management: key } = service.keys;
      const proxy = { name: 'p', destination_url: 'https://example.com/', require_auth: true };
      const { body } = await service.call<{ id: string; key: string }>('POST', '/proxies', proxy, { key });
      const values = change.includes('$2') ? [body.id, service.tenantId] : [body.id];
      await sql(service, `update read_models.proxies set ${change} where id = $1`, values);
      const headers = { 'BT-PROXY-KEY': body.key };
      assert.is((await service.call('POST', '/proxy', {}, { headers })).status, 500);
      assert.is((await service.call('GET', `/proxies/${body.id}`, undefined, { key })).status, 500);
      const list = await service.call<{ data: { id: string }[] }>('GET', '/proxies', undefined, { key });
      assert.not.ok(list.body.data.some(({ id }) => id === body.id));
      assert.is((await service.call('DELETE', `/proxies/${body.id}`, undefined, { key })).status, 204);
    },
  );
}

forged.run();
