import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { borrowTestServer } from '#test/support/testServer.ts';

/** Databases that hold nothing, by their URLs. */
export type EmptyDatabases = { make(): Promise<string>; drop(): Promise<void> };

export async function emptyDatabases(): Promise<EmptyDatabases> {
  const server = await borrowTestServer();
  const names: string[] = [];
  return {
    make: async () => {
      const name = `test_${randomBytes(6).toString('hex')}`;
      await query(server.url, `create database ${name}`);
      names.push(name);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    drop: async () => {
      for (const name of names) await query(server.url, `drop database ${name} with (force)`);
      await server.giveBack();
    },
  };
}

/** One statement on a connection of its own. */
export async function query<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
