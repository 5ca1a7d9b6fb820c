import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createReadModels } from '#infra/postgres/readModels.ts';
import { rebuild } from '#projections/engine/rebuild.ts';
import { added, tenantId } from '#test/projections/support/things.ts';
import type { Workshop } from '#test/projections/support/workshop.ts';
import { openWorkshop } from '#test/projections/support/workshop.ts';

const test = suite<{ workshop: Workshop }>('tables of a view');
const stranger = '8f6e2f0c-5d0a-4a5e-9d5c-1d1f3f6f0009';

test.before(async (context) => {
  context.workshop = await openWorkshop();
  const { append, engine } = context.workshop;
  await append('1', added('1'));
  await rebuild(engine(), 'things', () => undefined);
});
test.after(async ({ workshop }) => {
  await workshop.end();
});

async function idsSeenBy(workshop: Workshop, tenant: string | undefined): Promise<string[]> {
  const client = await workshop.database.pools.api.connect();
  try {
    await client.query('begin');
    if (tenant !== undefined) await client.query(`select set_config('hf.tenant', $1, true)`, [tenant]);
    const { rows } = await client.query<{ id: string }>('select id from read_models.things');
    await client.query('commit');
    return rows.map(({ id }) => id);
  } finally {
    client.release();
  }
}

test('given a tenant, when its rows are asked for, then it sees them and no other does', async ({
  workshop,
}) => {
  assert.equal(await idsSeenBy(workshop, tenantId), ['1']);
  assert.equal(await idsSeenBy(workshop, stranger), []);
});

test('given no tenant, also after a transaction that had one, then nothing is seen', async ({ workshop }) => {
  const client = await workshop.database.pools.api.connect();
  assert.is((await client.query('select from read_models.things')).rowCount, 0);
  await client.query(`begin; select set_config('hf.tenant', '${tenantId}', true); commit`);
  assert.is((await client.query('select from read_models.things')).rowCount, 0);
  client.release();
});

test('given the role of requests, when it writes, then it is refused', async ({ workshop }) => {
  for (const statement of [
    `delete from read_models.things`,
    `update read_models.things_v1 set name = 'x'`,
    `update work.projection_checkpoints set position = '9'`,
  ]) {
    await workshop.database.pools.api.query(statement).then(
      () => assert.unreachable(statement),
      (error: unknown) => assert.match(String(error), 'permission denied'),
    );
  }
});

test('given a tenant query, when it reads the stable name, then it gets its rows', async ({ workshop }) => {
  const readModels = createReadModels(workshop.database.pools.api);
  const text = 'select t.id from tenant, read_models.things t where t.tenant_id = tenant.id';
  assert.equal(await readModels.rows(tenantId, { name: 'things', text }), [{ id: '1' }]);
  assert.equal(await readModels.rows(stranger, { name: 'things', text }), []);
});

test.run();
