import type { Migration } from '#infra/postgres/migrations/migration.ts';

/** How far each subscriber has come, in which log. */
export const subscriptions: Migration = {
  name: '0006_subscriptions',
  sql: `
    create table work.subscriptions (
      name text primary key,
      log_id text not null,
      position text,
      last_error text,
      updated_at timestamptz not null default now()
    );
  `,
};
