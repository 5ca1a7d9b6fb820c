import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { onConnections } from '#projections/engine/session.ts';
import type { Table } from '#projections/engine/tables.ts';
import { qualified, quotedList } from '#projections/engine/tables.ts';

/** Postgres spends more on a line than the sender does. */
const connections = 3;

/** Copies pieces of COPY text, each of whole lines, into a table. */
export async function copyRows(
  connection: pg.ClientConfig,
  table: Table,
  pieces: Iterator<Buffer, unknown>,
): Promise<void> {
  const columns = quotedList(table.columns.map(({ name }) => name));
  const statement = `copy ${qualified(table.name)} (${columns}) from stdin`;
  await onConnections(connection, connections, 'set synchronous_commit = off', async (client) => {
    const share = Readable.from(takenFrom(pieces), { highWaterMark: 2 });
    await pipeline(share, client.query(copyFrom(statement)));
  });
}

/** Takes what others, who take from the same source, leave. */
function* takenFrom<Item>(source: Iterator<Item, unknown>): Generator<Item> {
  for (let next = source.next(); next.done !== true; next = source.next()) yield next.value;
}
