import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import { firstTag, nextTag } from '#infra/audit/chain.ts';
import { lineInSql } from '#infra/audit/line.ts';

/** Everything that a manipulation needs to know of what it changes. */
export type Target = {
  client: pg.PoolClient;
  /** The real key: somebody may have got hold of it. */
  key: KeyObject;
  writers: readonly string[];
  /** Entries of each writer. */
  length: number;
  /** A whole number from `from` to `to`, both included. */
  pick(from: number, to: number): number;
};

const columns: Readonly<Record<string, string>> = {
  occurred_at: `occurred_at + interval '1 microsecond'`,
  tenant_id: 'null',
  actor_type: `'operator'`,
  actor_id: `actor_id || '0'`,
  key_id: `key_id || '0'`,
  operation: `'delete'`,
  entity_type: `'application'`,
  entity_id: `entity_id || ' '`,
  outcome: `case outcome when 'refused' then 'succeeded' else 'refused' end`,
  status: 'status + 1',
  detail: `'redact'`,
  address: `'10.0.0.1'`,
  trace_id: `trace_id || '0'`,
  event_id: `'${randomUUID()}'`,
  event_digest: `'00'`,
  tag: `md5(tag) || md5(entity_id)`,
};

const writerOf = ({ writers, pick }: Target): string => writers[pick(0, writers.length - 1)] ?? '';
const placeOf = ({ length, pick }: Target): number => pick(1, length);

const edit = async (target: Target): Promise<void> => {
  const names = Object.keys(columns);
  const name = names[target.pick(0, names.length - 1)] ?? 'tag';
  await target.client.query(
    `update audit.entries set ${name} = ${columns[name]} where writer_id = $1 and sequence = $2`,
    [writerOf(target), placeOf(target)],
  );
};

const remove = async (target: Target): Promise<void> => {
  const first = placeOf(target);
  await target.client.query('delete from audit.entries where writer_id = $1 and sequence between $2 and $3', [
    writerOf(target),
    first,
    first + target.pick(0, 20),
  ]);
};

const removeAndRenumber = async (target: Target): Promise<void> => {
  const values = [writerOf(target), placeOf(target)];
  const { client } = target;
  await client.query('delete from audit.entries where writer_id = $1 and sequence = $2', values);
  await client.query(
    'update audit.entries set sequence = -sequence where writer_id = $1 and sequence > $2',
    values,
  );
  await client.query(
    'update audit.entries set sequence = -sequence - 1 where writer_id = $1 and sequence < 0 and $2::int8 > 0',
    values,
  );
};

const swap = async (target: Target): Promise<void> => {
  const { client, length } = target;
  const first = target.pick(1, length - 1);
  const values: unknown[] = [writerOf(target), first, target.pick(first + 1, length)];
  await client.query(
    'update audit.entries set sequence = -sequence where writer_id = $1 and sequence in ($2, $3)',
    values,
  );
  await client.query(
    'update audit.entries set sequence = $2::int8 + $3::int8 + sequence where writer_id = $1 and sequence < 0',
    values,
  );
};

const cutTail = async (target: Target): Promise<void> => {
  await target.client.query('delete from audit.entries where writer_id = $1 and sequence > $2', [
    writerOf(target),
    target.length - target.pick(1, target.length),
  ]);
};

const removeChain = async (target: Target): Promise<void> => {
  await target.client.query('delete from audit.entries where writer_id = $1', [writerOf(target)]);
};

const putIn = async (target: Target): Promise<void> => {
  const place = target.length + 1;
  const names = Object.keys(columns).join(', ');
  await target.client.query(
    `insert into audit.entries (writer_id, sequence, ${names})
     select writer_id, $2, ${names.replace('event_id', 'null::uuid')} from audit.entries
     where writer_id = $1 and sequence = $3`,
    [writerOf(target), target.pick(0, 1) === 0 ? 0 : place, placeOf(target)],
  );
};

const moveToAnotherChain = async (target: Target): Promise<void> => {
  const [from, to] = target.writers;
  const place = placeOf(target);
  await target.client.query('delete from audit.entries where writer_id = $1 and sequence = $2', [to, place]);
  await target.client.query(
    'update audit.entries set writer_id = $2 where writer_id = $1 and sequence = $3',
    [from, to, place],
  );
};

const renameChain = async (target: Target): Promise<void> => {
  await target.client.query('update audit.entries set writer_id = $2 where writer_id = $1', [
    writerOf(target),
    randomUUID(),
  ]);
};

const swapChains = async (target: Target): Promise<void> => {
  const [first, second] = target.writers;
  const between = randomUUID();
  for (const [from, to] of [
    [first, between],
    [second, first],
    [between, second],
  ]) {
    await target.client.query('update audit.entries set writer_id = $2 where writer_id = $1', [from, to]);
  }
};

/** Moves text over the border of two columns, so that the line reads the same. */
const shiftFields = async (target: Target): Promise<void> => {
  await target.client.query(
    `update audit.entries set entity_type = entity_type || E'\\t' || entity_id, entity_id = ''
     where writer_id = $1 and sequence = $2`,
    [writerOf(target), placeOf(target)],
  );
};

/** Changes an entry, then gives it and all that follow tags that fit. */
const rewriteWith = async (target: Target, key: KeyObject): Promise<void> => {
  const writerId = writerOf(target);
  const from = placeOf(target);
  const { client } = target;
  await client.query(
    `update audit.entries set entity_id = 'rewritten' where writer_id = $1 and sequence = $2`,
    [writerId, from],
  );
  const { rows } = await client.query<{ sequence: string; line: string }>(
    `select sequence, ${lineInSql} as line from audit.entries as entry where writer_id = $1 order by sequence`,
    [writerId],
  );
  let tag = firstTag(key, writerId);
  const tags = rows.map(({ line }) => (tag = nextTag(key, tag, line)));
  await client.query(
    `update audit.entries set tag = given.tag from unnest($2::int8[], $3::text[]) given (sequence, tag)
     where writer_id = $1 and entries.sequence = given.sequence`,
    [writerId, rows.map(({ sequence }) => sequence), tags],
  );
};

export const manipulations: Readonly<Record<string, (target: Target) => Promise<void>>> = {
  edit,
  remove,
  removeAndRenumber,
  swap,
  cutTail,
  removeChain,
  putIn,
  moveToAnotherChain,
  renameChain,
  swapChains,
  shiftFields,
  rewriteWithAnotherKey: (target) => rewriteWith(target, createSecretKey(randomBytes(32))),
  rewriteWithTheKey: (target) => rewriteWith(target, target.key),
};
