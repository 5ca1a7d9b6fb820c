import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * Who takes an unfinished batch back claims it first: from then on its writer can neither renew nor end it. The times
 * are those of PostgreSQL alone.
 */
export const batchClaims: Migration = {
  name: '0110_batch_claims',
  sql: `
    -- Null: its writer has it.
    alter table work.unfinished_batches add column claimed_at timestamptz;
    create index unfinished_batches_touched on work.unfinished_batches (touched_at);
  `,
};
