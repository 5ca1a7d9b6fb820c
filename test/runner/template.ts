import pg from 'pg';
import type { ClientConfig } from 'pg';
import { migrate } from '#infra/postgres/migrate.ts';

/** Makes a migrated database that test databases are copied from; answers its name. */
export async function createTemplate(connection: ClientConfig): Promise<string> {
  const name = 'test_template';
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  await migrate({ ...connection, database: name });
  return name;
}
