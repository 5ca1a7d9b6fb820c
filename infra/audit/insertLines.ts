import type pg from 'pg';
import { columnNames, columnsOfLine, fieldsInLine } from '#infra/audit/line.ts';
import { reachable } from '#infra/postgres/failure.ts';

const statement = `
  insert into audit.entries (writer_id, ${columnNames}, tag)
  select $1::uuid, ${columnsOfLine}, fields[${fieldsInLine + 1}]
  from (
    select string_to_array(line, E'\\t') as fields
    from unnest(string_to_array($2, E'\\n')) with ordinality as given (line, place)
    order by place
  ) as split
  on conflict do nothing`;

/** Stores lines that end in their tags; again is harmless. @throws StoreUnavailable */
export async function insertLines(pool: pg.Pool, writerId: string, lines: readonly string[]): Promise<void> {
  await reachable(() =>
    pool.query({ name: 'audit insert', text: statement, values: [writerId, lines.join('\n')] }),
  );
}
