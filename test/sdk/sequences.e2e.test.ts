import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

/**
 * What infrastructure tools do with each resource: create it with empty values, read it, update it, read it, delete it, and
 * find it gone. A plan that follows compares what was read with what was written.
 */
const sequences = suite<{ service: VaultService }>('sequences of infrastructure tools');

sequences.before(async (context) => {
  context.service = await startVaultService();
});
sequences.after(({ service }) => service.close());

type Resource = Record<string, unknown> & { id: string };
type Sequence = {
  path: string;
  created: object;
  /** What a read shows of it, at least. */
  shown: object;
  updated: object;
  then: object;
  /** Members that must not be shown before and after. */
  never?: readonly string[];
};

const code = 'module.exports = async (req) => ({ raw: 1 });';
const transform = 'module.exports = async ({ args }) => args;';
const url = 'https://example.com/post';
const rule = {
  description: 'all',
  priority: 1,
  container: '/pci/',
  transform: 'mask',
  permissions: ['token:read'],
};

const resources: Record<string, Sequence> = {
  'an application': {
    path: '/applications',
    created: { name: 'one', type: 'private', create_key: false, permissions: [], rules: [rule] },
    shown: { name: 'one', type: 'private', permissions: [], rules: [rule], keys: [] },
    updated: { name: 'two', permissions: ['token:create'], rules: null },
    then: { name: 'two', type: 'private', permissions: ['token:create'], rules: [] },
    never: ['expires_at'],
  },
  'a reactor': {
    path: '/reactors',
    created: { name: 'one', code, configuration: {}, application: { id: '' } },
    shown: { name: 'one', code, configuration: {}, state: 'active' },
    updated: { name: 'two', code, configuration: { key: 'value' }, application: null },
    then: { name: 'two', code, configuration: { key: 'value' }, state: 'active' },
    never: ['application'],
  },
  'a proxy of an older tool': {
    path: '/proxies',
    created: {
      name: 'one',
      destination_url: url,
      configuration: {},
      request_reactor_id: '',
      request_transform: {},
      response_reactor_id: '',
      response_transform: {},
      require_auth: true,
    },
    shown: { name: 'one', destination_url: url, configuration: {}, require_auth: true, state: 'active' },
    updated: {
      name: 'two',
      destination_url: url,
      request_reactor_id: '',
      request_transform: { code: transform },
      response_reactor_id: '',
      response_transform: {},
      require_auth: false,
    },
    then: { name: 'two', request_transform: { code: transform }, require_auth: false },
    never: ['response_transform', 'request_reactor_id', 'response_reactor_id', 'application_id'],
  },
  'a proxy of a newer tool': {
    path: '/proxies',
    created: { name: 'one', destination_url: url, request_transforms: [{ type: 'code', code: transform }] },
    shown: { name: 'one', request_transforms: [{ type: 'code', code: transform }], state: 'active' },
    updated: {
      name: 'two',
      destination_url: url,
      request_transforms: [],
      response_transforms: [{ type: 'code', code: transform }],
    },
    then: { name: 'two', response_transforms: [{ type: 'code', code: transform }] },
  },
  'a webhook': {
    path: '/webhooks',
    created: { name: 'one', url, notify_email: '', events: ['token.created'] },
    shown: { name: 'one', url, events: ['token.created'], status: 'enabled' },
    updated: { name: 'two', url, notify_email: '', events: ['token.deleted'] },
    then: { name: 'two', url, events: ['token.deleted'], status: 'enabled' },
    never: ['notify_email'],
  },
};

for (const [name, { path, created, shown, updated, then, never = [] }] of Object.entries(resources)) {
  sequences(
    `given ${name}, when it is created, read, updated and deleted, then nothing drifts`,
    async ({ service }) => {
      const ask = (method: string, at: string, body?: object) =>
        service.call<Resource>(method, at, body, { key: service.keys.management });
      const made = await ask('POST', path, created);
      assert.is(made.status, 201, JSON.stringify(made.body));
      const one = `${path}/${made.body.id}`;
      const expectShown = async (wanted: object): Promise<void> => {
        const read = await ask('GET', one);
        assert.is(read.status, 200);
        const names = Object.keys(wanted);
        assert.equal(Object.fromEntries(names.map((member) => [member, read.body[member]])), wanted);
        assert.equal(
          never.filter((member) => member in read.body),
          [],
        );
        assert.not.ok(Object.values(read.body).includes(null));
      };
      await expectShown(shown);
      const changed = await ask('PUT', one, updated);
      assert.is(changed.status, 200, JSON.stringify(changed.body));
      await expectShown(then);
      assert.is((await ask('DELETE', one)).status, 204);
      assert.is((await ask('GET', one)).status, 404);
      assert.is((await ask('DELETE', one)).status, 404);
    },
  );
}

sequences(
  'given a key of an application, when it is created, read and deleted, then it is gone',
  async ({ service }) => {
    const ask = (method: string, at: string, body?: object) =>
      service.call<Resource>(method, at, body, { key: service.keys.management });
    const application = { name: 'one', type: 'private', create_key: false, permissions: ['token:create'] };
    const { id } = (await ask('POST', '/applications', application)).body;
    const path = `/applications/${id}/keys`;
    const made = await ask('POST', path);
    assert.is(made.status, 201);
    assert.type(made.body['key'], 'string');
    const read = await ask('GET', `${path}/${made.body.id}`);
    assert.equal([read.status, read.body.id, 'key' in read.body], [200, made.body.id, false]);
    assert.is((await ask('PUT', `/applications/${id}`, { name: 'two' })).status, 200);
    assert.is((await ask('GET', `${path}/${made.body.id}`)).status, 200);
    assert.is((await ask('DELETE', `${path}/${made.body.id}`)).status, 204);
    assert.is((await ask('GET', `${path}/${made.body.id}`)).status, 404);
  },
);

sequences(
  'given a webhook with an address, when an update leaves it empty, then it has none',
  async ({ service }) => {
    const key = { key: service.keys.management };
    const webhook = { name: 'one', url, events: ['token.created'] };
    for (const empty of ['', null, {}]) {
      const made = await service.call<Resource>(
        'POST',
        '/webhooks',
        { ...webhook, notify_email: 'a@example.com' },
        key,
      );
      assert.is(made.body['notify_email'], 'a@example.com');
      const path = `/webhooks/${made.body.id}`;
      const changed = await service.call<Resource>('PUT', path, { ...webhook, notify_email: empty }, key);
      assert.equal([changed.status, 'notify_email' in changed.body], [200, false]);
      assert.is((await service.call('DELETE', path, undefined, key)).status, 204);
    }
  },
);

sequences(
  'given a reactor with an application, when it is written with an empty one, then it has none',
  async ({ service }) => {
    const key = { key: service.keys.management };
    const lent = { name: 'lent', type: 'private', permissions: ['token:create'] };
    const { id } = (await service.call<Resource>('POST', '/applications', lent, key)).body;
    const whole = { name: 'one', code };
    for (const application of ['', null, {}, { id: '' }, { id: null }]) {
      const put = await service.call<Resource>('POST', '/reactors', { ...whole, application: { id } }, key);
      const changed = await service.call<Resource>(
        'PUT',
        `/reactors/${put.body.id}`,
        { ...whole, application },
        key,
      );
      assert.equal(
        [changed.status, 'application' in changed.body],
        [200, false],
        JSON.stringify(application),
      );
    }
    const patched = await service.call<Resource>('POST', '/reactors', { ...whole, application: { id } }, key);
    const path = `/reactors/${patched.body.id}`;
    for (const application of [{}, { id: '' }]) {
      assert.is((await service.call('PATCH', path, { application }, key)).status, 204);
      assert.ok('application' in (await service.call<Resource>('GET', path, undefined, key)).body);
    }
    assert.is((await service.call('PATCH', path, { application: { id: null } }, key)).status, 204);
    assert.not.ok('application' in (await service.call<Resource>('GET', path, undefined, key)).body);
  },
);

/** Where a resource is not read by itself, and what it is read by. */
type Listed = { data: Resource[] };

sequences(
  'given a connection, when it is created, read, updated and deleted, then nothing drifts',
  async (context) => {
    const { service } = context;
    const ask = <Body = Resource>(method: string, at: string, body?: object) =>
      service.call<Body>(method, at, body, { key: service.keys.management });
    const path = '/orchestration/connections';
    const written = {
      connection_formula_id: 'sandbox-card',
      method: 'card',
      display_name: 'one',
      fields: [{ key: 'merchant_id', value: 'any' }],
      accepted_countries: ['US'],
      accepted_currencies: ['USD'],
      three_d_secure_enabled: null,
    };
    const made = await ask('POST', path, written);
    assert.is(made.status, 201, JSON.stringify(made.body));
    const one = async (): Promise<Resource | undefined> =>
      (await ask<Resource[]>('GET', path)).body.find(({ id }) => id === made.body.id);
    assert.equal([(await one())?.['display_name'], (await one())?.['active']], ['one', true]);
    const changed = await ask('PUT', `${path}/${made.body.id}`, {
      ...written,
      display_name: 'two',
      fields: [],
    });
    assert.is(changed.status, 200, JSON.stringify(changed.body));
    assert.is((await one())?.['display_name'], 'two');
    assert.is((await ask('DELETE', `${path}/${made.body.id}`)).status, 204);
    assert.is(await one(), undefined);
    assert.is((await ask('DELETE', `${path}/${made.body.id}`)).status, 404);
  },
);

sequences(
  'given a token, when it is created, read, updated and deleted, then nothing drifts',
  async ({ service }) => {
    const empty = {
      id: null,
      mask: null,
      containers: [],
      privacy: {},
      metadata: {},
      search_indexes: [],
      fingerprint_expression: null,
      deduplicate_token: null,
      expires_at: '',
    };
    const made = await service.call<Resource>('POST', '/tokens', { type: 'token', data: 'x', ...empty });
    assert.is(made.status, 201, JSON.stringify(made.body));
    const one = `/tokens/${made.body.id}`;
    const read = async (): Promise<Resource> => (await service.call<Resource>('GET', one)).body;
    const first = await read();
    assert.equal([first['containers'], 'expires_at' in first], [['/general/high/'], false]);
    const patch = { metadata: { a: 'b' }, expires_at: '', privacy: {} };
    assert.is((await service.call('PATCH', one, patch)).status, 200);
    const second = await read();
    assert.equal([second['metadata'], second['containers']], [{ a: 'b' }, ['/general/high/']]);
    assert.is((await service.call('DELETE', one)).status, 204);
    assert.is((await service.call('GET', one)).status, 404);
  },
);

sequences(
  'given an invitation, when it is created, read, resent and deleted, then nothing drifts',
  async ({ service }) => {
    const ask = <Body = Resource>(method: string, at: string, body?: object) =>
      service.call<Body>(method, at, body, { key: service.keys.management });
    const path = '/tenants/self/invitations';
    const absent = await ask('POST', path, { email: 'a@example.com' });
    const made = await ask('POST', path, { email: 'b@example.com', role: '' });
    assert.equal([made.status, made.body['role']], [201, absent.body['role']]);
    const one = `${path}/${made.body.id}`;
    assert.equal((await ask('GET', one)).body['email'], 'b@example.com');
    assert.is((await ask('POST', `${one}/resend`, {})).status, 200);
    assert.is((await ask<Listed>('GET', path)).body.data.length, 2);
    assert.is((await ask('DELETE', one)).status, 204);
    assert.is((await ask('GET', one)).status, 404);
  },
);

sequences(
  'given a tenant, when its name is written with what was read, then nothing drifts',
  async ({ service }) => {
    const key = { key: service.keys.management };
    const read = await service.call<Resource>('GET', '/tenants/self', undefined, key);
    const put = await service.call<Resource>('PUT', '/tenants/self', { ...read.body, name: 'two' }, key);
    assert.equal([put.status, put.body['name'], put.body['settings']], [200, 'two', read.body['settings']]);
  },
);

sequences(
  'given rights that nobody has written, then they are absent; an empty list is what it says',
  async ({ service }) => {
    const key = { key: service.keys.management };
    const ask = (method: string, at: string, body: object) => service.call<Resource>(method, at, body, key);
    const whole = { name: 'one', type: 'private' };
    const rights = { permissions: ['token:create'], rules: [rule] };
    for (const nothing of ['', {}, null]) {
      const none = { permissions: nothing, rules: nothing };
      assert.is((await ask('POST', '/applications', { ...whole, ...none })).status, 400);
      const made = await ask('POST', '/applications', { ...whole, ...rights, expires_at: '' });
      assert.equal([made.status, 'expires_at' in made.body], [201, false]);
      const path = `/applications/${made.body.id}`;
      const kept = await ask('PUT', path, { name: 'two', ...none });
      assert.equal([kept.body['permissions'], kept.body['rules']], [rights.permissions, rights.rules]);
      assert.is((await ask('PUT', path, { name: 'two', permissions: [], rules: nothing })).status, 400);
      const less = await ask('PUT', path, { name: 'two', permissions: ['token:read'], rules: nothing });
      assert.equal([less.body['permissions'], less.body['rules']], [['token:read'], []]);
    }
    for (const nothing of ['', {}, null]) {
      const opened = await service.call<{ nonce: string }>('POST', '/sessions', undefined, {
        key: service.keys.public,
      });
      const { nonce } = opened.body;
      const none = { permissions: nothing, rules: nothing, expires_at: '' };
      assert.is((await service.call('POST', '/sessions/authorize', { nonce, ...none })).status, 400);
      const some = { nonce, permissions: ['token:create'], rules: nothing, expires_at: '' };
      assert.is((await service.call('POST', '/sessions/authorize', some)).status, 200);
    }
  },
);

sequences(
  'given a reactor, when texts that nobody has set are empty, then they are absent',
  async ({ service }) => {
    const key = { key: service.keys.management };
    for (const nothing of ['', {}, [], null]) {
      const body = { name: 'one', code, configuration: nothing };
      const made = await service.call<Resource>('POST', '/reactors', body, key);
      assert.equal([made.status, made.body['configuration']], [201, {}], JSON.stringify(made.body));
      const path = `/reactors/${made.body.id}`;
      const ran = await service.call('POST', `${path}/react`, { args: {}, callback_url: nothing });
      assert.equal([ran.status, ran.body], [200, { raw: 1 }]);
    }
  },
);

sequences.run();
