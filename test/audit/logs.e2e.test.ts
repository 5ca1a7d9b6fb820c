import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Log = {
  id: string;
  entity_type: string;
  entity_id: string;
  operation: string;
  outcome: string;
  message: string;
  created_at: string;
};
type Logs = {
  pagination: { total_items: number; page_size: number; after?: string; next?: string };
  data: Log[];
};
type History = { data: { type: string; revision: number; data: Record<string, unknown> }[] };

let service: VaultService;
let other: VaultService['keys'];
const logs = suite('audit: logs');

logs.before(async () => {
  service = await startVaultService();
  other = await service.anotherTenant();
});
logs.after(() => service.close());

const list = async (query: string, key = service.keys.management): Promise<Logs> => {
  const reply = await service.call<Logs>('GET', `/logs?${query}`, undefined, { key });
  assert.is(reply.status, 200);
  return reply.body;
};

async function newToken(): Promise<string> {
  const reply = await service.call<{ id: string }>('POST', '/tokens', { type: 'token', data: 'abc' });
  return reply.body.id;
}

logs('given a token’s life, then the log tells it, newest first', async () => {
  const id = await newToken();
  await service.call('GET', `/tokens/${id}`);
  await service.call('PATCH', `/tokens/${id}`, { metadata: { a: 'b' } });
  await service.call('DELETE', `/tokens/${id}`);
  await service.call('GET', `/tokens/${id}`);
  const { data } = await until(async () => {
    const found = await list(`entity_type=token&entity_id=${id}`);
    return found.data.length === 5 ? found : undefined;
  });
  assert.equal(
    data.map(({ operation, outcome, message }) => [operation, outcome, message]),
    [
      ['read', 'refused', 'Token read refused'],
      ['delete', 'succeeded', 'Token deleted'],
      ['update', 'succeeded', 'Token updated'],
      ['read', 'succeeded', 'Token retrieved'],
      ['create', 'succeeded', 'Token created'],
    ],
  );
});

logs('given filters, then all of them hold', async () => {
  const id = await newToken();
  await service.call('GET', `/tokens/${id}`);
  const reads = await list(`entity_id=${id}&operation=read&outcome=succeeded`);
  assert.is(reads.data.length, 1);
  assert.is(reads.pagination.total_items, 1);
  const at = reads.data[0]?.created_at ?? '';
  assert.is((await list(`entity_id=${id}&operation=read&start_date=${at}`)).data.length, 1);
  assert.is((await list(`entity_id=${id}&operation=read&end_date=${at}`)).data.length, 0);
  assert.is((await list('entity_type=nothing')).data.length, 0);
});

logs('given a cursor, then the log is walked without a gap or a repetition while it grows', async () => {
  const id = await newToken();
  for (let count = 0; count < 25; count++) await service.call('GET', `/tokens/${id}`);
  const seen: string[] = [];
  let next: string | undefined = '';
  while (next !== undefined) {
    const query: string = next === '' ? '' : `&start=${next}`;
    const page: Logs = await list(`entity_id=${id}&operation=read&size=10${query}`);
    assert.is(page.pagination.after, page.pagination.next);
    seen.push(...page.data.map((entry) => entry.id));
    next = page.pagination.next;
    await service.call('GET', `/tokens/${id}`);
  }
  assert.is(seen.length, 25);
  assert.is(new Set(seen).size, 25);
});

logs('given pages by number, then they hold what cursors show', async () => {
  const id = await newToken();
  for (let count = 0; count < 5; count++) await service.call('GET', `/tokens/${id}`);
  const all = await list(`entity_id=${id}&operation=read`);
  const second = await list(`entity_id=${id}&operation=read&size=2&page=2`);
  assert.equal(second.data, all.data.slice(2, 4));
});

logs(
  'given pages of one entry, when they are read to the end, then none is missing or repeated, and they end',
  async () => {
    const walked = await startVaultService();
    const key = walked.keys.management;
    const page = async (query: string): Promise<Logs> =>
      (await walked.call<Logs>('GET', `/logs?${query}`, undefined, { key })).body;
    const walk = async (filter = ''): Promise<Logs[]> => {
      const pages: Logs[] = [];
      for (let number = 1; number < 40; number++) {
        const next = await page(`size=1&page=${number}${filter}`);
        pages.push(next);
        if (next.data.length === 0) break;
      }
      return pages;
    };
    const idsIn = (pages: Logs[]): string[] => pages.flatMap(({ data }) => data.map(({ id }) => id));
    for (let count = 0; count < 3; count++) await walked.call('GET', '/tenants/self', undefined, { key });
    const expected = await page('size=100');
    const pages = await walk();
    // That reading of the log is in the log, and no later one.
    assert.equal(idsIn(pages).slice(1), idsIn([expected]));
    assert.equal(
      pages.map(({ pagination }) => pagination.total_items),
      pages.map(() => expected.data.length + 1),
    );
    const again = await walk();
    assert.is(idsIn(again).length, pages.length + expected.data.length + 1);
    assert.is(new Set(idsIn(again)).size, idsIn(again).length);
    const filtered = idsIn(await walk('&entity_type=tenant'));
    assert.is(new Set(filtered).size, filtered.length);
    assert.ok(filtered.length > 0 && filtered.length < 10);
    await walked.close();
  },
);

logs(
  'given no first page, or a newer one, then pages behind it are of the log as it is, or as it was then',
  async () => {
    const fresh = await startVaultService();
    const key = fresh.keys.management;
    const get = async (query: string): Promise<Logs> =>
      (await fresh.call<Logs>('GET', `/logs?${query}`, undefined, { key })).body;
    // What events tell is entered behind them.
    await until(async () => {
      const { rowCount } = await fresh.composition.pools.owner.query(
        "select from audit.entries where tenant_id = $1 and entity_type = 'application_key'",
        [fresh.tenantId],
      );
      return rowCount === Object.keys(fresh.keys).length;
    });
    await fresh.call('GET', '/tenants/self', undefined, { key });
    const second = await get('size=1&page=2');
    const third = await get('size=1&page=3');
    assert.is(second.data.length, 1);
    assert.equal(second.data, third.data);
    const first = await get('size=1');
    await fresh.call('GET', '/tenants/self', undefined, { key });
    assert.is((await get('size=1')).data[0]?.message, 'Tenant retrieved');
    // Behind the tenant's reading lies that of the first page before.
    assert.equal((await get('size=1&page=3')).data, first.data);
    await fresh.close();
  },
);

logs('given bad input, then 400 names it', async () => {
  for (const [query, name] of [
    ['start_date=yesterday', 'start_date'],
    ['end_date=2030-13-45', 'end_date'],
    ['end_date=2030-02-31', 'end_date'],
    ['start_date=0000-01-01', 'start_date'],
    ['end_date=9999-12-31T23:59:59-14:00', 'end_date'],
    ['start=abc', 'start'],
    ['outcome=maybe', 'outcome'],
  ]) {
    const reply = await service.call<{ errors: object }>('GET', `/logs?${query}`, undefined, {
      key: service.keys.management,
    });
    assert.is(reply.status, 400);
    assert.equal(Object.keys(reply.body.errors), [name]);
  }
});

logs('given another tenant, then it sees nothing of this one', async () => {
  const id = await newToken();
  await service.call('GET', `/tokens/${id}`);
  assert.equal((await list(`entity_id=${id}`, other.management)).data, []);
  const history = await service.call('GET', `/tokens/${id}/history`, undefined, { key: other.management });
  assert.is(history.status, 404);
});

logs('given no log:read, then 403', async () => {
  for (const path of ['/logs', '/logs/entity-types', '/tokens/abc/history']) {
    assert.is((await service.call('GET', path)).status, 403);
  }
});

logs('given access to the log, then that is in the log', async () => {
  await list('entity_type=log');
  const { data } = await list('entity_type=log');
  assert.is(data[0]?.message, 'Log retrieved');
});

logs('given a token that was changed and deleted, then its history tells all, without secrets', async () => {
  const id = await newToken();
  await service.call('PATCH', `/tokens/${id}`, { data: 'a secret', metadata: { a: 'b' } });
  await service.call('DELETE', `/tokens/${id}`);
  const options = { key: service.keys.management };
  const { body } = await service.call<History>('GET', `/tokens/${id}/history`, undefined, options);
  assert.equal(
    body.data.map(({ type, revision }) => [type, revision]),
    [
      ['token.created', 0],
      ['token.updated', 1],
      ['token.deleted', 2],
    ],
  );
  assert.equal(body.data[1]?.data['metadata'], { a: 'b' });
  assert.not.match(JSON.stringify(body), /payload|a secret/);
  const page = await service.call<History>('GET', `/tokens/${id}/history?page=2&size=2`, undefined, options);
  assert.equal(
    page.body.data.map(({ revision }) => revision),
    [2],
  );
});

logs('given an application, then its history tells of its keys too', async () => {
  const options = { key: service.keys.management };
  const made = await service.call<{ id: string; key: string }>(
    'POST',
    '/applications',
    { name: 'a', type: 'private', permissions: ['token:read'] },
    options,
  );
  await service.call('POST', `/applications/${made.body.id}/keys`, undefined, options);
  const path = `/applications/${made.body.id}/history`;
  const { body } = await service.call<History>('GET', path, undefined, options);
  assert.equal(
    body.data.map(({ type }) => type),
    ['application.created', 'application.key.created', 'application.key.created'],
  );
  assert.not.match(JSON.stringify(body), new RegExp(made.body.key));
});

logs.run();
