import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import type { RegisterHead } from '#infra/audit/anchors.ts';
import { emptyRegister, registerTag } from '#infra/audit/register.ts';
import type { RegisteredWriter } from '#infra/audit/register.ts';

/** The register of writers as it was read, and the first thing that is wrong in it. */
export type RegisterCheck = {
  writers: Map<string, RegisteredWriter>;
  fault: { number: number; what: string } | undefined;
};

type Row = { number: string; writer_id: string; first_tag: string; is_older: boolean; tag: string };

/** Recomputes the chain of first entries, and holds it against the number that was signed. */
export async function verifyRegister(
  database: Pick<pg.Pool, 'query'>,
  key: KeyObject,
  signed: RegisterHead | undefined,
): Promise<RegisterCheck> {
  const { rows } = await database.query<Row>(
    'select number, writer_id, first_tag, is_older, tag from audit.writers order by number',
  );
  const writers = rows.map((row) => ({ ...writerOf(row), tag: row.tag }));
  return {
    writers: new Map(writers.map((writer) => [writer.writerId, writer])),
    fault: faultIn(key, writers, signed),
  };
}

const writerOf = (row: Row): RegisteredWriter => ({
  number: Number(row.number),
  writerId: row.writer_id,
  firstTag: row.first_tag,
  isOlder: row.is_older,
});

function faultIn(
  key: KeyObject,
  writers: readonly (RegisteredWriter & { tag: string })[],
  signed: RegisterHead | undefined,
): RegisterCheck['fault'] {
  let { count, tag } = emptyRegister;
  for (const writer of writers) {
    if (writer.number !== count + 1) {
      return {
        number: count + 1,
        what: 'writers were removed from the register, or their signed number was lost',
      };
    }
    if (registerTag(key, tag, writer) !== writer.tag) {
      return { number: writer.number, what: 'the register of writers was changed' };
    }
    if (signed?.count === writer.number && signed.tag !== writer.tag) {
      return { number: writer.number, what: 'the register of writers was written anew' };
    }
    ({ number: count, tag } = writer);
  }
  if (signed === undefined) {
    return count === 0
      ? undefined
      : {
          number: count,
          what: 'the number of writers is signed nowhere: its file was removed, damaged or forged',
        };
  }
  if (signed.count <= count) return undefined;
  return { number: count + 1, what: `writers are missing from the register: ${signed.count} were signed` };
}
