import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * The installation, and the event log that it is bound to since its first start. The log names the installation too: the
 * embedded one here, EventStoreDB in an event of its own.
 */
export const installation: Migration = {
  name: '0113_installation',
  sql: `
    create table work.installation (
      only_row boolean primary key default true check (only_row),
      id uuid not null default gen_random_uuid(),
      -- Null: not bound yet.
      log_id text,
      -- Where that log is, for people.
      log_place text,
      bound_at timestamptz
    );
    insert into work.installation default values;
    grant select on work.installation to holdfast_api;

    alter table event_log.identity add column installation_id uuid;
    grant update (installation_id) on event_log.identity to holdfast_log;
  `,
};
