import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { InnerRequest } from '#ports/dispatch.ts';
import { Realm } from '#test/reactors/bt/support/library.ts';
import { lender, lendingOf, origin } from '#test/reactors/bt/support/lending.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

let service: VaultService;
const library = suite('bt: the library before the service');

library.before(async () => {
  service = await startVaultService();
});
library.after(() => service.close());

/** What an expression returns, in which `bt` is bound to a new application with these rights. */
async function libraryWith(permissions: readonly string[], type = 'private') {
  const applicationId = await lender(service, permissions, { type });
  const call = lendingOf(service)({ tenantId: service.tenantId, applicationId }, origin);
  const realm = new Realm(async (_kind, payload) => {
    const answer = await call(JSON.parse(payload) as InnerRequest);
    return { failed: false, payload: JSON.stringify(answer) };
  });
  const run = async (expression: string): Promise<unknown> => {
    const outcome = await realm.run(expression);
    if ('threw' in outcome) throw new Error(JSON.stringify(outcome.threw));
    return outcome.returned;
  };
  const statusOf = async (expression: string): Promise<unknown> => {
    const outcome = await realm.run(expression);
    return 'threw' in outcome ? outcome.threw.status : 'returned';
  };
  return { run, statusOf, applicationId };
}

const everything = ['create', 'read', 'update', 'delete', 'search', 'use'].map((verb) => `token:${verb}`);

library('given tokens, then all that can be done with them works from code', async () => {
  const { run, statusOf, applicationId } = await libraryWith(everything);
  const found = await run(`(async () => {
    const made = await bt.tokens.create({ type: 'token', data: { aB: 'x', c_d: 1 }, metadata: { aB: 'y' },
      searchIndexes: ['{{ data.aB }}'], containers: ['/general/high/'] });
    const read = await bt.tokens.retrieve(made.id);
    const changed = await bt.tokens.update(made.id, { metadata: { aB: null, eF: 'z' } });
    const listed = await bt.tokens.list({ id: [made.id], metadata: { eF: 'z' } });
    const listedV2 = await bt.tokens.listV2({ size: 1 });
    const searched = await bt.tokens.search({ query: 'data:x' });
    const plain = await bt.detokenize({ camelCase: '{{ ' + made.id + ' | json: "$.aB" }}' });
    const tokenized = await bt.tokenize({ camelCase: 'value' });
    return { made, read, changed, listed, listedV2, searched, plain, tokenized,
      deleted: typeof (await bt.tokens.delete(made.id)) };
  })()`);
  // Whatever JSON the service sent.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  const all = found as any;
  assert.equal(all.made.createdBy, applicationId);
  assert.equal(all.made.searchIndexes, ['{{ data.aB }}']);
  assert.equal(all.made.metadata, { aB: 'y' });
  assert.equal(all.read.id, all.made.id);
  assert.equal(all.changed.metadata, { eF: 'z' });
  assert.equal(all.listed.pagination.totalItems, 1);
  assert.equal(all.listed.data[0].id, all.made.id);
  assert.is(all.listedV2.data.length, 1);
  assert.is(all.searched.data[0].id, all.made.id);
  assert.equal(Object.keys(all.plain), ['camelCase']);
  assert.match(all.tokenized.camelCase, /^[0-9a-f-]{36}$/);
  assert.is(all.deleted, 'undefined');
  assert.is(await statusOf(`bt.tokens.retrieve('${all.made.id}')`), 404);
});

library('given an idempotency key and a trace id, then they do what they do elsewhere', async () => {
  const { run } = await libraryWith(everything);
  const options = `{ idempotencyKey: 'once', correlationId: 'my trace' }`;
  const create = `bt.tokens.create({ type: 'token', data: 1 }, ${options})`;
  assert.equal(await run(create), await run(create));
});

library('given an application that manages, then reactors and applications are its own', async () => {
  const manages = [
    'application:create',
    'application:read',
    'reactor:create',
    'reactor:read',
    'reactor:update',
  ];
  const { run, statusOf, applicationId } = await libraryWith([...manages, 'reactor:delete'], 'management');
  const found = await run(`(async () => {
    const code = 'module.exports = async (req) => ({ raw: req.args });';
    const made = await bt.reactors.create({ name: 'a', code, configuration: { aB: '1', c_d: '2' } });
    await bt.reactors.patch(made.id, { configuration: { aB: null, eF: '3' } });
    const { configuration, createdBy } = await bt.reactors.retrieve(made.id);
    await bt.reactors.delete(made.id);
    return { configuration, createdBy, self: (await bt.applications.retrieveByKey()).id };
  })()`);
  assert.equal(found, {
    configuration: { c_d: '2', eF: '3' },
    createdBy: applicationId,
    self: applicationId,
  });
  assert.is(await statusOf(`bt.applications.delete('${applicationId}')`), 403);
});

library('given routes that are not in the service, then they are not found', async () => {
  const { statusOf } = await libraryWith(['token:create']);
  assert.is(await statusOf(`bt.reactorFormulas.list()`), 404);
  assert.is(await statusOf(`bt.tokens.list()`), 403);
});

library.run();
