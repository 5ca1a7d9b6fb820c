import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Token = { id: string; data?: unknown; detail: string; containers: string[] };
type Problem = { errors: Record<string, string[]> };

const card = { number: '4242424242424242', expiration_month: 1, expiration_year: 2031, cvc: '777' };

let service: VaultService;
const rights = suite('rights over HTTP');

rights.before(async () => {
  service = await startVaultService();
});
rights.after(() => service.close());

const newToken = async (body: object): Promise<string> =>
  (await service.call<Token>('POST', '/tokens', body)).body.id;
const patch = (id: string, body: object, key: string): Promise<Reply<Token>> =>
  service.call<Token>('PATCH', `/tokens/${id}`, body, { key });

rights('given a key that may update but not read, when it sets a mask, then it sees nothing', async () => {
  const id = await newToken({ type: 'card', data: card });
  for (const mask of ['{{ data }}', { c: '{{ data.cvc }}' }]) {
    const reply = await patch(id, { mask }, service.keys.public);
    assert.is(reply.status, 200);
    assert.is(reply.body.data, undefined);
  }
  const again = await patch(id, { metadata: { a: 'b' } }, service.keys.public);
  assert.not.match(JSON.stringify(again.body), /4242424242424242/);
});

rights('given a rule that redacts, then the answers of create and update hold no data', async () => {
  const key = await service.ruledKey({
    container: '/',
    transform: 'redact',
    permissions: ['token:create', 'token:update', 'token:read'],
  });
  const made = await service.call<Token>('POST', '/tokens', { type: 'card', data: card }, { key });
  assert.is(made.status, 201);
  assert.is(made.body.data, undefined);
  assert.is((await patch(made.body.id, { mask: '{{ data }}' }, key)).body.data, undefined);
});

rights('given rights in one of two containers, then a token is not changed or taken out', async () => {
  const id = await newToken({ type: 'token', data: 'x', containers: ['/m/a/', '/m/c/'] });
  const key = await service.ruledKey({
    container: '/m/a/',
    permissions: ['token:update', 'token:delete'],
  });
  for (const body of [{ data: 'y' }, { containers: ['/m/a/'] }, { metadata: { a: 'b' } }]) {
    const reply = await patch(id, body, key);
    assert.is(reply.status, 403);
    assert.match(reply.body.detail, /\/m\/c\/\.$/);
  }
  assert.is((await service.call('DELETE', `/tokens/${id}`, undefined, { key })).status, 403);
});

const rule = { priority: 1, container: '/', transform: 'reveal', permissions: ['token:read'] };
const conditions = [{ attribute: 'id', operator: 'equals', value: 'only-this' }];
const bad: [string, object, string][] = [
  ['conditions outside of sessions', { rules: [{ ...rule, conditions }] }, 'rules[0].conditions'],
  ['a priority twice', { rules: [rule, rule] }, 'rules[1].priority'],
  ['no priority', { rules: [{ ...rule, priority: undefined }] }, 'rules[0].priority'],
  ['rules on a management application', { type: 'management', rules: [rule] }, 'rules'],
  ['rights that the type never holds', { permissions: ['application:create'] }, 'permissions[0]'],
  ['rights that a public one never holds', { type: 'public', permissions: ['token:read'] }, 'permissions[0]'],
];
for (const [what, body, path] of bad) {
  rights(`given ${what}, when an application is made, then 400 names ${path}`, async () => {
    const application = { name: 'a', type: 'private', ...body };
    const options = { key: service.keys.management };
    const reply = await service.call<Problem>('POST', '/applications', application, options);
    assert.is(reply.status, 400);
    assert.ok(path in reply.body.errors, JSON.stringify(reply.body.errors));
  });
}

rights.run();
