import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * `holdfast_log` reads and appends to the event log, and `holdfast_api` no longer does. Row-level security shows it the
 * one stream that a statement names in `hf.stream`, or all of them for `*`, which readers of the whole log say. The
 * subqueries are run once a statement, not once a row.
 */
export const logRole: Migration = {
  name: '0102_log_role',
  sql: `
    do $$
    begin
      if not exists (select from pg_roles where rolname = 'holdfast_log') then
        begin
          create role holdfast_log nologin noinherit nobypassrls;
        exception when duplicate_object or unique_violation then null;
        end;
      end if;
    end $$;
    alter table event_log.events enable row level security;
    create policy stream on event_log.events for select to holdfast_log
      using ((select current_setting('hf.stream', true)) = '*'
        or stream = (select current_setting('hf.stream', true)));
    grant usage on schema event_log to holdfast_log;
    grant select on event_log.events, event_log.identity to holdfast_log;
    grant execute on function event_log.append to holdfast_log;
    revoke all on event_log.events, event_log.identity from holdfast_api;
    revoke execute on function event_log.append from holdfast_api;
    revoke usage on schema event_log from holdfast_api;
  `,
};
