import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * Active tokens are counted chain by chain, each from where it was counted to: nothing is looked at twice, and entries
 * need no index by time alone, which was a tenth of what it cost to store them.
 */
export const countedEntries: Migration = {
  name: '0090_counted_entries',
  sql: `
    create table work.counted_entries (
      writer_id uuid primary key,
      counted_to int8 not null
    );
    -- Entries were written a moment after they were dated: what is newer than this was looked at again each time.
    insert into work.counted_entries (writer_id, counted_to)
    with recursive writers as (
      (select writer_id from audit.entries order by writer_id limit 1)
      union all
      select (select e.writer_id from audit.entries e where e.writer_id > w.writer_id order by e.writer_id limit 1)
      from writers w where w.writer_id is not null
    )
    select w.writer_id, counted.sequence
    from writers w
    cross join work.active_tokens_counted before
    cross join lateral (
      select e.sequence from audit.entries e
      where e.writer_id = w.writer_id and e.occurred_at < before.counted_to - interval '5 minutes'
      order by e.sequence desc limit 1
    ) counted
    where w.writer_id is not null;
    drop table work.active_tokens_counted;
    drop index audit.entries_time;
  `,
};
