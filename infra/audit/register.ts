import { createHmac } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import type { RegisterAnchor, RegisterHead } from '#infra/audit/anchors.ts';
import { reachable } from '#infra/postgres/failure.ts';

/** A chain in the register of writers. */
export type RegisteredWriter = {
  /** From 1 on, in the order in which chains began. */
  number: number;
  writerId: string;
  /** The tag of the chain's first entry. */
  firstTag: string;
  /** It began before there was a register. */
  isOlder: boolean;
};

/** The tag of a row covers the row and, by the tag before, all rows before it. */
export const registerTag = (key: KeyObject, previous: string, writer: RegisteredWriter): string =>
  createHmac('sha256', key)
    .update(
      `audit writer\n${previous}\n${writer.number}\n${writer.writerId}\n${writer.firstTag}\n${writer.isOlder}`,
    )
    .digest('hex');

/** Of a register without rows. */
export const emptyRegister: RegisterHead = { count: 0, tag: '' };

export type Registration = {
  key: KeyObject;
  pool: pg.Pool;
  anchor: RegisterAnchor;
};

/** The first batch of a chain, once its number is known: the tag of its first entry, and its lines. */
export type FirstBatch = { writerId: string; firstTag: string; lines: readonly string[] };

/** Another process may be first, so often in a row. */
const mostAttempts = 100;

/**
 * Stores the first batch of a chain and its row in the register, both or none, and answers how far the chain has come.
 * @param batchOf the batch as it is with a number; asked again when another process was first
 * @throws StoreUnavailable
 */
export async function register(
  { key, pool, anchor }: Registration,
  batchOf: (number: number) => FirstBatch,
): Promise<number> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const last = await lastWriter(pool);
    const before = last.count === 0 ? await unregistered(pool) : [];
    const start = await startAfter(last, anchor);
    const own = batchOf(start.count + before.length + 1);
    const { writers, tags } = tagged(key, start, [
      ...before.map((writer) => ({ ...writer, isOlder: true })),
      { ...own, isOlder: false },
    ]);
    const stored = await appendFirst(pool, { writers, tags, lines: own.lines });
    if (stored === -1) continue;
    await anchor.write({ count: writers.at(-1)?.number ?? 0, tag: tags.at(-1) ?? '' });
    return stored;
  }
  throw new Error('other processes were always first in the register of the audit log');
}

/**
 * Where to go on. What was cut off the register must be missed for ever: numbers that were signed are not given again, and
 * where the signed count is lost, one number is left out.
 */
async function startAfter(last: RegisterHead, anchor: RegisterAnchor): Promise<RegisterHead> {
  const signed = await anchor.read();
  if (signed !== undefined) return signed.count > last.count ? signed : last;
  if (last.count > 0) return { count: last.count + 1, tag: last.tag };
  await anchor.write(emptyRegister);
  return last;
}

function tagged(
  key: KeyObject,
  { count, tag }: RegisterHead,
  given: readonly Omit<RegisteredWriter, 'number'>[],
): { writers: RegisteredWriter[]; tags: string[] } {
  const writers = given.map((writer, index) => ({ ...writer, number: count + index + 1 }));
  let previous = tag;
  return { writers, tags: writers.map((writer) => (previous = registerTag(key, previous, writer))) };
}

async function lastWriter(pool: pg.Pool): Promise<RegisterHead> {
  const { rows } = await reachable(() =>
    pool.query<{ number: string; tag: string }>('select number, tag from audit.last_writer()'),
  );
  return rows[0] === undefined ? emptyRegister : { count: Number(rows[0].number), tag: rows[0].tag };
}

async function unregistered(pool: pg.Pool): Promise<Omit<RegisteredWriter, 'number' | 'isOlder'>[]> {
  const { rows } = await reachable(() =>
    pool.query<{ writer_id: string; first_tag: string }>(
      'select writer_id, first_tag from audit.unregistered_writers()',
    ),
  );
  return rows.map((row) => ({ writerId: row.writer_id, firstTag: row.first_tag }));
}

async function appendFirst(
  pool: pg.Pool,
  { writers, tags, lines }: { writers: RegisteredWriter[]; tags: string[]; lines: readonly string[] },
): Promise<number> {
  const { rows } = await reachable(() =>
    pool.query<{ last: string }>('select audit.append_first($1, $2, $3, $4, $5, $6) as last', [
      writers.map(({ number }) => number),
      writers.map(({ writerId }) => writerId),
      writers.map(({ firstTag }) => firstTag),
      writers.map(({ isOlder }) => isOlder),
      tags,
      lines.join('\n'),
    ]),
  );
  return Number(rows[0]?.last);
}
