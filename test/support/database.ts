import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createPools } from '#infra/postgres/pools.ts';
import type { Pools } from '#infra/postgres/pools.ts';
import { templateName } from '#test/support/preparedCluster.ts';
import { borrowTestServer } from '#test/support/testServer.ts';
import type { BorrowedServer } from '#test/support/testServer.ts';

import { counted } from '#test/support/helperCosts.ts';

export type TestDatabase = {
  name: string;
  connection: pg.ClientConfig;
  pools: Pools;
  drop(): Promise<void>;
};

/** Names of the databases that were made here and not dropped yet. */
export const openDatabases = new Set<string>();

/** Copies that were made ahead, for those who ask next. */
const prepared: Promise<string>[] = [];

/**
 * A migrated database of its own, on the server that the test runner started, or, in a file that is run by
 * itself, on one that lives until the last database is dropped.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  return counted('database', async () => {
    const server = await borrowTestServer();
    const name = await takeCopy(server);
    openDatabases.add(name);
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    const connection = { connectionString: url.href };
    const pools = createPools(connection, { owner: 8, api: 8, vault: 8, log: 8 });
    return {
      name,
      connection,
      pools,
      drop: async () => {
        await pools.close();
        await administer(server.url, `drop database if exists ${name} with (force)`);
        openDatabases.delete(name);
        await server.giveBack();
      },
    };
  });
}

/** A copy of the template. Where more files will come, the next one is made while the caller works. */
async function takeCopy({ url, lasts }: BorrowedServer): Promise<string> {
  if (!lasts) return createDatabase(url);
  const taken = prepared.shift() ?? createDatabase(url);
  const next = createDatabase(url);
  // Who takes it is told of its failure; nobody may.
  next.catch(() => undefined);
  prepared.push(next);
  return taken;
}

/** Copying files is quicker here than writing the copy into the server's log, since nothing outlives a crash. */
async function createDatabase(server: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(server, `create database ${name} template ${templateName} strategy file_copy`);
  return name;
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
