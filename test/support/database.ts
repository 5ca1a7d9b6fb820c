import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '#infra/postgres/migrate.ts';
import { createPools } from '#infra/postgres/pools.ts';
import type { Pools } from '#infra/postgres/pools.ts';
import { borrowTestServer } from '#test/support/testServer.ts';

export type TestDatabase = { connection: pg.ClientConfig; pools: Pools; drop(): Promise<void> };

/**
 * A migrated database of its own, on the server that the test runner started, or, in a file that is run by
 * itself, on one that lives until the last database is dropped.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await borrowTestServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const template = process.env['TEST_POSTGRES_TEMPLATE'];
  await administer(
    server.url,
    `create database ${name} ${template === undefined ? '' : `template ${template}`}`,
  );
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const connection = { connectionString: url.href };
  if (template === undefined) await migrate(connection);
  const pools = createPools(connection, { owner: 8, api: 8, vault: 8, log: 8 });
  return {
    connection,
    pools,
    drop: async () => {
      await pools.close();
      await administer(server.url, `drop database if exists ${name} with (force)`);
      await server.giveBack();
    },
  };
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
