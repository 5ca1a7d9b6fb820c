import { BasisTheory } from '@basis-theory/node-sdk';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failureOf } from '#test/sdk/support/failure.ts';
import { clientOf as javascriptClientOf, refusalOf, statusOf } from '#test/sdk/support/javascript.ts';
import type { Client } from '#test/sdk/support/javascript.ts';
import { clientOf as nodeClientOf } from '#test/sdk/support/node.ts';
import { absentId } from '#test/sdk/support/operations.ts';
import { serve } from '#test/sdk/support/served.ts';
import type { Served } from '#test/sdk/support/served.ts';

type Context = Served & { node: ReturnType<typeof nodeClientOf>; javascript: Client };

const sdk = suite<Context>('reactors in both libraries');

sdk.before(async (context) => {
  Object.assign(context, await serve());
  const { service } = context;
  context.node = nodeClientOf(service.credentials.management, service);
  context.javascript = await javascriptClientOf(service.credentials.management, service);
});
sdk.after(({ stop }) => stop());

const code = 'module.exports = async (req) => ({ raw: req.args });';
const configuration = { SERVICE_API_KEY: 'key_abcd1234', camelCase: '1' };
const lent = { name: 'lent', type: 'private', permissions: ['token:create'] } as const;

sdk(
  'given basis-theory-js, when a reactor is made, read, listed, changed and deleted, then each call answers as it expects',
  async ({ javascript: { reactors, applications } }) => {
    const application = await applications.create({ ...lent, permissions: [...lent.permissions] });
    const made = await reactors.create({ name: 'One', code, configuration, application });
    assert.equal([made.name, made.code, made.configuration], ['One', code, configuration]);
    assert.equal([made.application?.id, made.application?.name], [application.id, 'lent']);
    assert.not.ok('key' in (made.application ?? {}) || 'keys' in (made.application ?? {}));
    assert.ok(made.tenantId !== '' && made.createdAt !== undefined && made.createdBy !== undefined);
    assert.equal(await reactors.retrieve(made.id), made);

    const other = await reactors.create({ name: 'Two', code, configuration: {} });
    const listed = await reactors.list({ id: [made.id, other.id], size: 1 });
    assert.equal(listed.pagination, { totalItems: 2, pageNumber: 1, pageSize: 1, totalPages: 2 });
    assert.equal(listed.data, [other]);
    assert.equal((await reactors.list({ name: 'on*' })).data, [made]);

    const changes = { name: 'Changed', code: 'other', configuration: { another_name: '2' } };
    const updated = await reactors.update(made.id, changes);
    assert.equal([updated.name, updated.code, updated.configuration], Object.values(changes));
    assert.is(updated.application, undefined);
    assert.ok(updated.modifiedAt !== undefined && updated.modifiedBy !== undefined);
    const patch = { configuration: { another_name: null, added: '3' }, application: { id: application.id } };
    await reactors.patch(made.id, patch);
    const patched = await reactors.retrieve(made.id);
    assert.equal(
      [patched.name, patched.configuration, patched.application?.id],
      ['Changed', { added: '3' }, application.id],
    );

    assert.is(await reactors.delete(made.id), undefined);
    assert.is(await statusOf(reactors.retrieve(made.id)), 404);
    const refusal = await refusalOf(reactors.create({ name: '', code, configuration: {} }));
    assert.equal([refusal.status, Object.keys(refusal.data.errors ?? {})], [400, ['name']]);
  },
);

sdk(
  'given node-sdk, when a reactor is made, read, listed, changed and deleted, then each call answers as it expects',
  async ({ node: { reactors, applications } }) => {
    const application = await applications.create({ ...lent, permissions: [...lent.permissions] });
    const options = { idempotencyKey: 'reactor-once' };
    const create = () => reactors.create({ name: 'Three', code, configuration, application }, options);
    const made = await create();
    const id = made.id ?? '';
    assert.equal(await create(), made);
    assert.equal([made.name, made.code, made.configuration], ['Three', code, configuration]);
    assert.equal([made.application?.id, made.application?.keys], [application.id, undefined]);
    assert.instance(made.createdAt, Date);
    assert.equal(await reactors.get(id), made);

    const other = await reactors.create({ name: 'Four', code, configuration: {}, application: undefined });
    const pages = await reactors.list({ id: [id, other.id ?? ''], size: 1 });
    assert.equal(await Array.fromAsync(pages), [other, made]);
    assert.equal((await reactors.list({ name: '*HREE', page: 1, start: '' })).data, [made]);

    const updated = await reactors.update(id, { name: 'Changed', code: 'other', configuration });
    assert.equal([updated.name, updated.code, updated.application], ['Changed', 'other', undefined]);
    assert.instance(updated.modifiedAt, Date);
    const patched = {
      configuration: { added: '3' },
      application: { id: application.id },
    };
    await reactors.patch(id, patched);
    const found = await reactors.get(id);
    assert.equal([found.name, found.configuration], ['Changed', { ...configuration, added: '3' }]);
    assert.is(found.application?.id, application.id);

    await reactors.delete(id);
    assert.instance(await failureOf(reactors.get(id)), BasisTheory.NotFoundError);
    assert.instance(await failureOf(reactors.patch(absentId, {})), BasisTheory.NotFoundError);
    const wrong = reactors.create({ name: 'Five', code, configuration, application: { id: absentId } });
    const refusal = await failureOf(wrong);
    if (!(refusal instanceof BasisTheory.BadRequestError)) throw refusal;
    const { errors } = refusal.body as BasisTheory.ValidationProblemDetails;
    assert.equal(Object.keys(errors ?? {}), ['application.id']);
  },
);

sdk.run();
