/**
 * SQL that lists the writers of the audit log in a column `writer_id`: a skip scan, which steps from one to the next by
 * the index, however many entries each has.
 */
export const writersQuery = `
  with recursive writers as (
    (select writer_id from audit.entries order by writer_id limit 1)
    union all
    select (select e.writer_id from audit.entries e where e.writer_id > w.writer_id order by e.writer_id limit 1)
    from writers w where w.writer_id is not null
  )
  select writer_id from writers where writer_id is not null`;
