import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * How many requests came from whom. Not logged: a commit waits for no disk, and a crash of the server forgets what
 * is forgotten after ten seconds anyway. Pages are half empty, so that a counter is raised where it stands.
 */
export const rateLimits: Migration = {
  name: '0083_rate_limits',
  sql: `
    create unlogged table work.rate_counts (
      -- The scope and the client's address: 'global:192.0.2.1'.
      key text primary key,
      points int4 not null,
      ends_at timestamptz not null
    ) with (fillfactor = 50);
    grant select, insert, update on work.rate_counts to holdfast_api;
  `,
};
