import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomId } from '#src/identifiers.ts';
import { create, createApplication, get, manage, minimal, patch } from '#test/reactors/support/reactors.ts';
import type { List, Reactor } from '#test/reactors/support/reactors.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const reactors = suite<{ service: VaultService }>('reactors');

reactors.before(async (context) => {
  context.service = await startVaultService();
});
reactors.after(({ service }) => service.close());

const list = async (service: VaultService, query: string): Promise<List> =>
  (await manage<List>(service, 'GET', `?${query}`)).body;
const namesOf = ({ data }: List): string[] => data.map(({ name }) => name);

reactors(
  'given attributes, when a reactor is created, then the answer is the whole, which can be read and is listed',
  async ({ service }) => {
    const application = await createApplication(service, 'private', ['token:create']);
    const configuration = { API_KEY: 'secret', 'empty ': '', camelCase: 'ü😀' };
    const made = await create(service, {
      name: 'Charge',
      configuration,
      application: { id: application.id },
    });
    const { id, created_by, created_at, application: used, ...rest } = made;
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    assert.ok(created_by !== undefined && Date.parse(String(created_at)) > Date.now() - 60_000);
    assert.equal(rest, {
      tenant_id: service.tenantId,
      state: 'active',
      name: 'Charge',
      code: minimal.code,
      configuration,
    });
    const { key, keys, ...withoutKeys } = application;
    assert.ok(key !== '' && Array.isArray(keys));
    assert.equal(used, withoutKeys);
    assert.equal(await get(service, id), made);
    assert.equal((await list(service, `id=${id}`)).data, [made]);
  },
);

reactors(
  'given no configuration, or null, when a reactor is written, then it has an empty one',
  async ({ service }) => {
    const { name, code } = minimal;
    for (const body of [
      { name, code },
      { name, code, configuration: null },
    ]) {
      const made = await manage<Reactor>(service, 'POST', '', body);
      assert.equal([made.status, made.body.configuration], [201, {}]);
      const { id } = await create(service, { configuration: { a: '1' } });
      const put = await manage<Reactor>(service, 'PUT', `/${id}`, body);
      assert.equal([put.status, put.body.configuration], [200, {}]);
      assert.equal((await get(service, id)).configuration, {});
    }
    const { id } = await create(service, { configuration: { a: '1' } });
    await patch(service, id, { name: 'two' });
    assert.equal((await get(service, id)).configuration, { a: '1' });
    await patch(service, id, { configuration: null });
    assert.equal((await get(service, id)).configuration, {});
  },
);

reactors(
  'given the longest of everything, when a reactor is created, then nothing of it is lost',
  async ({ service }) => {
    const attributes = {
      name: 'n'.repeat(200),
      code: '😀'.repeat(50_000),
      configuration: Object.fromEntries(
        Array.from({ length: 25 }, (_, index) => [`${index}`.padStart(200, 'k'), 'v'.repeat(10_000)]),
      ),
    };
    const { name, code, configuration } = await get(service, (await create(service, attributes)).id);
    assert.equal({ name, code, configuration }, attributes);
  },
);

reactors(
  'given a reactor, when it is replaced, then what is not given is gone, and who changed it is told',
  async ({ service }) => {
    const application = await createApplication(service, 'public', ['token:create']);
    const { id, ...made } = await create(service, {
      configuration: { a: '1', b: '2' },
      application: { id: application.id },
    });
    const changes = { name: 'two', code: 'other', configuration: { b: '3' } };
    const updated = await manage<Reactor>(service, 'PUT', `/${id}`, changes);
    assert.is(updated.status, 200);
    const { modified_at, modified_by, ...rest } = updated.body;
    assert.ok(modified_at !== undefined && modified_by !== undefined);
    const { created_at, created_by, tenant_id } = made;
    assert.equal(rest, { id, tenant_id, state: 'active', created_at, created_by, ...changes });
    assert.equal(await get(service, id), updated.body);
  },
);

reactors(
  'given reactors, when lists are filtered, then by id and by name with stars',
  async ({ service }) => {
    const made: Reactor[] = [];
    for (const name of ['Pay 100%', 'pay_by_card', 'Payout\\', 'Refund']) {
      made.push(await create(service, { name: `w ${name}` }));
    }
    const ids = made.map(({ id }) => id);
    const named = async (name: string): Promise<string[]> =>
      namesOf(await list(service, `name=${encodeURIComponent(name)}`)).map((found) => found.slice(2));
    assert.equal(await named('w *'), ['Refund', 'Payout\\', 'pay_by_card', 'Pay 100%']);
    assert.equal(await named('W PAY*'), ['Payout\\', 'pay_by_card', 'Pay 100%']);
    assert.equal(await named('w *0%'), ['Pay 100%']);
    assert.equal(await named('w pay_*'), ['pay_by_card']);
    assert.equal(await named('w *\\'), ['Payout\\']);
    assert.equal(await named('**fund'), ['Refund']);
    assert.equal(await named('w Pay'), []);
    assert.equal(namesOf(await list(service, `id=${ids[0]}&id=${ids[3]}&id=nothing`)), [
      'w Refund',
      'w Pay 100%',
    ]);
    assert.equal(namesOf(await list(service, `id=${ids[0]}&name=w%20R*`)), []);
    const pages = [await list(service, 'name=w%20*&size=3'), await list(service, 'name=w%20*&size=3&page=2')];
    assert.equal(
      pages.flatMap(({ data }) => data.map(({ id }) => id)),
      ids.toReversed(),
    );
    assert.equal(pages[1]?.pagination, { total_items: 4, page_number: 2, page_size: 3, total_pages: 2 });
    assert.equal((await list(service, 'name=w%20*&size=3&page=3')).data, []);
    for (const query of ['size=101', 'page=0', `name=${'n'.repeat(401)}`]) {
      assert.is((await manage(service, 'GET', `?${query}`)).status, 400, query);
    }
  },
);

reactors(
  'given an application that is deleted, when its reactor is read, then it is left out, and the rest can change',
  async ({ service }) => {
    const application = await createApplication(service, 'private', ['token:create']);
    const { id } = await create(service, { application: { id: application.id } });
    const options = { key: service.keys.management };
    await service.call('DELETE', `/applications/${application.id}`, undefined, options);
    for (const shown of [await get(service, id), (await list(service, `id=${id}`)).data[0]]) {
      assert.is(shown?.id, id);
      assert.not.ok('application' in (shown ?? {}));
    }
    assert.is((await manage(service, 'PATCH', `/${id}`, { name: 'still here' })).status, 204);
    assert.is((await get(service, id)).name, 'still here');
  },
);

reactors(
  'given an idempotency key, when requests are repeated, then each is done once and answered twice',
  async ({ service }) => {
    const twice = async (method: string, path: string, body: unknown) => {
      const options = { key: service.keys.management, headers: { 'BT-IDEMPOTENCY-KEY': randomId() } };
      const once = () => service.call<Reactor>(method, `/reactors${path}`, body, options);
      const [first, again] = [await once(), await once()];
      assert.equal([again.status, again.body], [first.status, first.body]);
      return first;
    };
    const created = await twice('POST', '', { ...minimal, name: 'repeated', configuration: { a: '1' } });
    assert.is(created.status, 201);
    assert.is((await list(service, 'name=repeated')).pagination['total_items'], 1);
    const { id } = created.body;
    const put = { ...minimal, name: 'repeated', configuration: { a: '2' } };
    assert.equal((await twice('PUT', `/${id}`, put)).body.configuration, { a: '2' });
    assert.is((await twice('PATCH', `/${id}`, { configuration: { a: '3' } })).status, 204);
    assert.equal((await get(service, id)).configuration, { a: '3' });
  },
);

reactors(
  'given what is not a reactor, is gone, or is another tenant’s, when anything is asked, then 404',
  async ({ service }) => {
    const mine = await create(service);
    const deleted = await create(service);
    assert.is((await manage(service, 'DELETE', `/${deleted.id}`)).status, 204);
    assert.not.ok((await list(service, 'size=100')).data.some(({ id }) => id === deleted.id));
    const { management } = await service.anotherTenant();
    const own = service.keys.management;
    for (const [id, key] of [
      [mine.id, management],
      [deleted.id, own],
      [randomId(), own],
      ['nothing', own],
    ] as const) {
      for (const [method, body] of [
        ['GET', undefined],
        ['PUT', minimal],
        ['PATCH', { name: 'changed' }],
        ['PATCH', {}],
        ['DELETE', undefined],
      ] as const) {
        assert.is((await manage(service, method, `/${id}`, body, key)).status, 404, `${method} ${id}`);
      }
    }
    assert.equal((await manage<List>(service, 'GET', '', undefined, management)).body.data, []);
    assert.equal(await get(service, mine.id), mine);
  },
);

reactors('given a key without the permission, when it asks, then it is refused', async ({ service }) => {
  for (const [method, path, body] of [
    ['POST', '', minimal],
    ['GET', '', undefined],
    ['GET', `/${randomId()}`, undefined],
    ['PUT', `/${randomId()}`, minimal],
    ['PATCH', `/${randomId()}`, {}],
    ['DELETE', `/${randomId()}`, undefined],
  ] as const) {
    const { status } = await manage(service, method, path, body, service.keys.private);
    assert.is(status, 403, `${method} ${path}`);
  }
});

reactors.run();
