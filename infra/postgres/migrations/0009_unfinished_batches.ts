import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * Tokens that one request makes together on a log that cannot write them together: what a crash leaves of them
 * is undone. There is a row only while such a request runs.
 */
export const unfinishedBatches: Migration = {
  name: '0009_unfinished_batches',
  sql: `
    create table work.unfinished_batches (
      command_id uuid primary key,
      tenant_id uuid not null,
      streams text[] not null,
      touched_at timestamptz not null default now()
    );
    grant select, insert, update, delete on work.unfinished_batches to holdfast_api;
  `,
};
