import type { Migration } from '#infra/postgres/migrations/migration.ts';

/** Says which event holds a subscriber up, and which ones an operator left out for it. */
export const blockedSubscribers: Migration = {
  name: '0086_blocked_subscribers',
  sql: `
    alter table work.subscriptions
      -- Null: what came last was handled.
      add column failing_since timestamptz,
      -- Null: it is not known to be one event.
      add column blocked_event text,
      add column blocked_type text,
      add column blocked_position text;

    create table work.subscription_skips (
      name text not null,
      event_id text not null,
      skipped_at timestamptz not null default now(),
      primary key (name, event_id)
    );
  `,
};
