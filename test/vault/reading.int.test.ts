import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { selectRows } from '#infra/vault/payloads/selectRows.ts';
import { rowsRead } from '#test/support/rowsRead.ts';
import { createVaultFixture } from '#test/vault/support/fixture.ts';
import type { VaultFixture } from '#test/vault/support/fixture.ts';

const reading = suite<{ fixture: VaultFixture }>('vault: what is read for a payload');

reading.before(async (context) => {
  context.fixture = await createVaultFixture();
});
reading.after(({ fixture }) => fixture.close());

const asked = 20;
const rounds = 20;

/** Payloads with a part each. */
async function store({ database }: VaultFixture, tenantId: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const { owner } = database.pools;
  await owner.query(
    `insert into vault.payloads (tenant_id, id, stream, key_version, wrapped_key, ciphertext, created_at)
     select $1, id, 'a', 1, '', '', now() from unnest($2::uuid[]) as given (id)`,
    [tenantId, ids],
  );
  await owner.query(
    `insert into vault.short_lived_parts (tenant_id, payload_id, epoch, epoch_key_id, ciphertext, stored_at)
     select $1, id, 1, id, '', now() from unnest($2::uuid[]) as given (id)`,
    [tenantId, ids],
  );
  return ids;
}

/** Reads some of them, a few at a time, and sees that each comes with its part. */
async function readSome(connection: pg.PoolClient, tenantId: string, ids: readonly string[]): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const wanted = ids.slice(round * asked, (round + 1) * asked);
    const rows = await selectRows(connection, tenantId, wanted, new Date());
    assert.equal(rows.map(({ id }) => id).sort(), [...wanted].sort());
    assert.equal(
      rows.map((row) => row.epoch_key_id),
      rows.map(({ id }) => id),
    );
  }
}

reading(
  'given a tenant that has grown since the planner looked at it, when some payloads are read, then the parts of the others are not',
  async ({ fixture }) => {
    const tenantId = await fixture.newTenant();
    const few = await store(fixture, tenantId, 1_000);
    await fixture.database.pools.owner.query('analyze vault.payloads, vault.short_lived_parts');
    const connection = await fixture.database.pools.vault.connect();
    await readSome(connection, tenantId, few);
    const many = await store(fixture, tenantId, 10_000);
    const before = await rowsRead(connection, 'short_lived_parts');
    await readSome(connection, tenantId, many);
    const read = (await rowsRead(connection, 'short_lived_parts')) - before;
    connection.release();
    assert.is(read, rounds * asked);
  },
);

reading.run();
