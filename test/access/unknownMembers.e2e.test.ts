import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const unknownMembers = suite<{ service: VaultService }>('access: members and filters that are not known');

unknownMembers.before(async (context) => {
  context.service = await startVaultService();
});
unknownMembers.after(({ service }) => service.close());

type Problem = { errors: Record<string, string[]> };
type Made = { id: string; nonce: string };
const notKnown = ['is not a property that is known here'];
const rule = { priority: 1, container: '/pci/', transform: 'mask', permissions: ['token:read'] };
const valid = { name: 'one', type: 'private', rules: [rule] };

async function faultsOf(
  { call, keys }: VaultService,
  method: string,
  path: string,
  body?: object,
  key = keys.management,
): Promise<Record<string, string[]>> {
  const reply = await call<Problem>(method, path, body, { key });
  assert.is(reply.status, 400, JSON.stringify(reply.body));
  return reply.body.errors;
}

unknownMembers(
  'given an application, when a member of it or of a rule is misspelt, then 400 names it',
  async ({ service }) => {
    const { call, keys } = service;
    const made = await call<Made>('POST', '/applications', valid, { key: keys.management });
    assert.is(made.status, 201);
    for (const [method, path] of [
      ['POST', '/applications'],
      ['PUT', `/applications/${made.body.id}`],
    ] as const) {
      const withRule = (changes: object): object => ({ ...valid, rules: [{ ...rule, ...changes }] });
      assert.equal(await faultsOf(service, method, path, withRule({ condition: ['x'] })), {
        'rules[0].condition': notKnown,
      });
      assert.equal(await faultsOf(service, method, path, withRule({ containers: ['/pci/high/'] })), {
        'rules[0].containers': notKnown,
      });
      assert.equal(await faultsOf(service, method, path, { ...valid, expires: '2030-01-01T00:00:00Z' }), {
        expires: notKnown,
      });
      const conditions = [{ attribute: 'id', operator: 'equals', value: 'x' }];
      assert.equal(Object.keys(await faultsOf(service, method, path, withRule({ conditions }))), [
        'rules[0].conditions',
      ]);
    }
  },
);

unknownMembers(
  'given an application that was read, when all of it is sent back, then that is taken',
  async ({ service }) => {
    const { call, keys } = service;
    const management = { key: keys.management };
    const made = await call<Made>('POST', '/applications', valid, management);
    const read = await call<object>('GET', `/applications/${made.body.id}`, undefined, management);
    const sent = { ...read.body, rules: [{ ...rule, conditions: [] }] };
    assert.is((await call('PUT', `/applications/${made.body.id}`, sent, management)).status, 200);
  },
);

unknownMembers(
  'given a session, when what narrows it is misspelt, then 400 names it',
  async ({ service }) => {
    const { call, keys } = service;
    const session = await call<Made>('POST', '/sessions', undefined, { key: keys.public });
    const { nonce } = session.body;
    const condition = { attribute: 'id', operator: 'equals', value: 'x' };
    const narrowed = {
      priority: 1,
      transform: 'reveal',
      permissions: ['token:read'],
      conditions: [condition],
    };
    const refused = (body: object) =>
      faultsOf(service, 'POST', '/sessions/authorize', { nonce, ...body }, keys.private);
    assert.equal(await refused({ rules: [{ ...narrowed, container: '/', containers: ['/x/'] }] }), {
      'rules[0].containers': notKnown,
    });
    assert.equal(await refused({ rules: [{ ...narrowed, conditions: [{ ...condition, not: true }] }] }), {
      'rules[0].conditions[0].not': notKnown,
    });
    assert.equal(await refused({ permissions: ['token:read'], expires: '2030-01-01' }), {
      expires: notKnown,
    });
  },
);

unknownMembers(
  'given a proxy, when a member is misspelt, or of a later version, then 400 names it',
  async ({ service }) => {
    const whole = { name: 'p', destination_url: 'https://example.com' };
    const refused = (body: object) => faultsOf(service, 'POST', '/proxies', { ...whole, ...body });
    assert.equal(await refused({ request_transfrom: { code: 'x' } }), { request_transfrom: notKnown });
    assert.equal(Object.keys(await refused({ disable_detokenization: true })), ['disable_detokenization']);
    const taken = await service.call(
      'POST',
      '/proxies',
      { ...whole, disable_detokenization: false },
      {
        key: service.keys.management,
      },
    );
    assert.is(taken.status, 201);
  },
);

unknownMembers('given a list, when a filter is not known, then 400 names it', async ({ service }) => {
  for (const path of [
    '/tokens',
    '/v2/tokens',
    '/applications',
    '/reactors',
    '/proxies',
    '/logs',
    '/tenants/self/members',
    '/tenants/self/invitations',
    '/permissions',
  ]) {
    const key = /tokens/.test(path) ? service.keys.private : service.keys.management;
    assert.equal(await faultsOf(service, 'GET', `${path}?containers=x`, undefined, key), {
      containers: ['is not a parameter that is known here'],
    });
  }
});

unknownMembers.run();
