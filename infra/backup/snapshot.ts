import { writersQuery } from '#infra/audit/writersQuery.ts';
import pg from 'pg';

/** Looks at chains and heads until they fit: a writer may begin between the two. */
const attempts = 5;

/** A moment of the database, for as long as it is open. */
export type Snapshot = { client: pg.Client; close(): Promise<void> };

/**
 * Takes a snapshot whose chains of the audit log are not behind the heads that were copied.
 * @param copyHeads copies the heads as they are, and answers whose they are
 */
export async function openSnapshot(
  connection: pg.ClientConfig,
  copyHeads: () => Promise<ReadonlySet<string>>,
): Promise<Snapshot> {
  const client = new pg.Client({
    ...connection,
    keepAlive: true,
    application_name: `holdfast backup ${process.pid}`,
  });
  // A statement under way reports it; between two, Node would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await begin(client, copyHeads);
  } catch (error) {
    await client.end();
    throw error;
  }
  return { client, close: () => client.end() };
}

async function begin(client: pg.Client, copyHeads: () => Promise<ReadonlySet<string>>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    // Before the snapshot: a head that is ahead of its chain says that the chain was cut off.
    const heads = await copyHeads();
    await client.query('begin isolation level repeatable read read only');
    const writers = await writersOf(client);
    // A chain that stays without a head was put in by somebody: `verify` is to find it in the copy, too.
    if (attempt === attempts || writers.every((writer) => heads.has(writer))) return;
    await client.query('rollback');
  }
}

async function writersOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ writer_id: string }>(writersQuery);
  return rows.map(({ writer_id }) => writer_id);
}
