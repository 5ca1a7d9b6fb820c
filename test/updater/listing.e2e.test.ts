import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { createJob } from '#test/updater/support/service.ts';
import type { ShownJob } from '#test/updater/support/service.ts';

type Context = { service: VaultService; ids: string[] };
type Page = { pagination: { page_size: number; next?: string }; data: ShownJob[] };

const lists = suite<Context>('lists of jobs');

lists.before(async (context) => {
  context.service = await startVaultService();
  context.ids = [];
  for (let count = 0; count < 23; count++) context.ids.unshift((await createJob(context.service)).id);
});
lists.after(({ service }) => service.close());

const list = async ({ service }: Context, query = ''): Promise<Page> =>
  (await service.call<Page>('GET', `/account-updater/jobs${query}`)).body;

lists(
  'given more jobs than a page has, then twenty are listed, newest first, and next leads on',
  async (context) => {
    const first = await list(context);
    assert.equal(
      first.data.map(({ id }) => id),
      context.ids.slice(0, 20),
    );
    assert.is(first.pagination.page_size, 20);
    const rest = await list(context, `?start=${first.pagination.next ?? ''}`);
    assert.equal(
      rest.data.map(({ id }) => id),
      context.ids.slice(20),
    );
    assert.equal(rest.pagination, { page_size: 3 });
  },
);

lists('given a size, then a list has so many', async (context) => {
  const { data, pagination } = await list(context, '?size=5');
  assert.is(data.length, 5);
  assert.type(pagination.next, 'string');
  assert.ok(data.every(({ status, upload_url }) => status === 'pending' && upload_url !== undefined));
});

lists('given a cursor or a size that is none, then it is 400', async ({ service }) => {
  for (const query of ['start=x', 'size=0', 'size=101']) {
    assert.is((await service.call('GET', `/account-updater/jobs?${query}`)).status, 400, query);
  }
});

lists('given another tenant, then it neither lists nor gets the jobs', async ({ service, ids }) => {
  const { private: key } = await service.anotherTenant();
  const listed = await service.call<Page>('GET', '/account-updater/jobs', undefined, { key });
  assert.equal(listed.body, { pagination: { page_size: 0 }, data: [] });
  const got = await service.call('GET', `/account-updater/jobs/${ids[0] ?? ''}`, undefined, { key });
  assert.is(got.status, 404);
});

lists(
  'given keys without the permission, then it is 403, and an id that is none is 404',
  async ({ service, ids }) => {
    const key = await service.ruledKey({
      ...{ description: 'tokens', container: '/', transform: 'mask' },
      permissions: ['token:read'],
    });
    for (const other of [key, service.keys.public, service.keys.management]) {
      const options = { key: other };
      assert.is((await service.call('POST', '/account-updater/jobs', undefined, options)).status, 403);
      assert.is((await service.call('GET', '/account-updater/jobs', undefined, options)).status, 403);
      const path = `/account-updater/jobs/${ids[0] ?? ''}`;
      assert.is((await service.call('GET', path, undefined, options)).status, 403);
    }
    assert.is((await service.call('GET', '/account-updater/jobs/none')).status, 404);
  },
);

lists('given an idempotency key, then a repeated request creates no second job', async ({ service }) => {
  const headers = { 'BT-IDEMPOTENCY-KEY': 'job-1' };
  const first = await service.call<ShownJob>('POST', '/account-updater/jobs', undefined, { headers });
  const second = await service.call<ShownJob>('POST', '/account-updater/jobs', undefined, { headers });
  assert.equal([second.status, second.body.id], [201, first.body.id]);
});

lists.run();
