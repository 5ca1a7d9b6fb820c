import { columnNames, columnsOfLine, fieldsInLine } from '#infra/audit/line.ts';
import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * `audit.append` splits each line once. Without `offset 0` the planner puts the subquery into the select list, and a
 * line is split anew for each of its columns.
 */
export const auditAppend: Migration = {
  name: '0016_audit_append',
  sql: `
    create or replace function audit.append(writer uuid, first int8, lines text) returns int8
    language plpgsql security definer set search_path = '' as $$
    declare
      last int8;
      added int8;
    begin
      perform pg_advisory_xact_lock(hashtextextended(writer::text, 4650130));
      last := coalesce(
        (select e.sequence from audit.entries e where e.writer_id = writer order by e.sequence desc limit 1), 0);
      if last <> first - 1 or lines = '' then
        return last;
      end if;
      insert into audit.entries (writer_id, ${columnNames}, tag)
      select writer, ${columnsOfLine}, fields[${fieldsInLine + 1}]
      from (
        select string_to_array(line, E'\\t') as fields from unnest(string_to_array(lines, E'\\n')) as given (line)
        offset 0
      ) as split;
      get diagnostics added = row_count;
      if added <> 1 + length(lines) - length(replace(lines, E'\\n', '')) then
        raise exception 'not every entry of the audit log was kept';
      end if;
      return last + added;
    end $$;
  `,
};
