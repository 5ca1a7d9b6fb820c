import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  create,
  createApplication,
  faultsOf,
  get,
  patch,
  payloads,
} from '#test/reactors/support/reactors.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const patches = suite<{ service: VaultService }>('patches of reactors');

patches.before(async (context) => {
  context.service = await startVaultService();
});
patches.after(({ service }) => service.close());

patches('given one attribute, when it is patched, then the others stay', async ({ service }) => {
  const application = await createApplication(service, 'private', ['token:create']);
  const made = await create(service, {
    configuration: { a: '1' },
    application: { id: application.id },
  });
  const expected = { ...made };
  for (const changes of [{ name: 'two' }, { code: 'other' }]) {
    await patch(service, made.id, changes);
    Object.assign(expected, changes);
    const { modified_at, modified_by, ...found } = await get(service, made.id);
    assert.ok(modified_at !== undefined && modified_by !== undefined);
    assert.equal(found, expected);
  }
});

patches(
  'given a configuration, when it is patched, then null takes an entry away, others are set, the rest stays',
  async ({ service }) => {
    const { id } = await create(service, { configuration: { a: '1', b: '2', c: '3' } });
    const patched = async (configuration: unknown) => {
      await patch(service, id, { configuration });
      return (await get(service, id)).configuration;
    };
    assert.equal(await patched({ a: null, b: '', d: '4', absent: null }), { b: '', c: '3', d: '4' });
    assert.equal(await patched({}), { b: '', c: '3', d: '4' });
    // A name like any other: JSON, not the literal, as that would set the prototype.
    const strange: unknown = JSON.parse('{"__proto__": "x", "constructor": "y"}');
    assert.is(JSON.stringify(await patched(strange)).includes('"__proto__":"x"'), true);
    assert.equal(await patched(null), {});
  },
);

patches(
  'given twenty-five entries, when one is added, then 400 unless another is taken away',
  async ({ service }) => {
    const names = Array.from({ length: 25 }, (_, index) => `k${index}`);
    const { id } = await create(service, {
      configuration: Object.fromEntries(names.map((name) => [name, name])),
    });
    const oneMore = { configuration: { more: 'x' } };
    assert.equal(await faultsOf(service, 'PATCH', `/${id}`, oneMore), ['configuration']);
    await patch(service, id, { configuration: { more: 'x', k0: null } });
    const replaced = names.map((name) => [name, null] as const);
    const others = names.map((name) => [`other ${name}`, name] as const);
    await patch(service, id, { configuration: Object.fromEntries([...replaced, ...others, ['more', null]]) });
    assert.equal((await get(service, id)).configuration, Object.fromEntries(others));
  },
);

patches(
  'given an application, when it is patched, then another comes, null takes it away, nothing leaves it',
  async ({ service }) => {
    const one = await createApplication(service, 'private', ['token:create']);
    const two = await createApplication(service, 'public', ['token:create']);
    const { id } = await create(service, { application: { id: one.id } });
    const patched = async (application: unknown) => {
      await patch(service, id, { application });
      return ((await get(service, id))['application'] as { id: string } | undefined)?.id;
    };
    assert.is(await patched({}), one.id);
    assert.is(await patched(two), two.id);
    assert.is(await patched(null), undefined);
    assert.is(await patched({ id: one.id }), one.id);
    assert.is(await patched({ id: null }), undefined);
  },
);

patches('given a patch that names nothing, when it is made, then nothing changes', async ({ service }) => {
  const made = await create(service, { configuration: { a: '1' } });
  await patch(service, made.id, {});
  assert.equal(await get(service, made.id), made);
});

patches('given a dozen patches at once, when each has an entry, then none is lost', async ({ service }) => {
  const { id } = await create(service, { configuration: { kept: 'kept' } });
  const names = Array.from({ length: 12 }, (_, index) => `k${index}`);
  await Promise.all(names.map((name) => patch(service, id, { configuration: { [name]: name } })));
  const wanted = { kept: 'kept', ...Object.fromEntries(names.map((name) => [name, name])) };
  assert.equal((await get(service, id)).configuration, wanted);
  // Of the payloads that the decisions stored, all but one are removed again.
  await until(async () => (await payloads(service, id)).length === 1);
});

patches.run();
