import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * An endpoint is served by one worker at a time, which alone keeps its messages in order and its requests few. What a
 * client asks for goes first, and what is tried again waits apart from what is new, so that neither holds up the other.
 */
export const webhookLanes: Migration = {
  name: '0084_webhook_lanes',
  sql: `
    alter table work.webhook_endpoints
      -- The worker that serves it, and its lease.
      add column served_by uuid,
      add column served_until timestamptz,
      -- How often it was changed by a client, and the last of those changes that a worker has acted on.
      add column changes int4 not null default 0,
      add column changes_seen int4 not null default 0,
      -- Milliseconds for which it was seen to fail: time in which nobody tried does not count.
      add column failing_for float8 not null default 0,
      add column failed_at timestamptz;

    alter table work.webhook_deliveries add column turn text not null default 'new'
      check (turn in ('asked', 'retried', 'new', 'replayed'));
    update work.webhook_deliveries set turn = case when replayed then 'replayed' else 'retried' end
      where status = 'pending' and (replayed or attempts > 0);
    drop index work.webhook_deliveries_due;
    create index webhook_deliveries_due on work.webhook_deliveries (webhook_id, turn, due_at, ordinal)
      where status = 'pending';

    -- Of what has ended, due_at is when: what was sent again has not ended before.
    drop index work.webhook_deliveries_ended;
    create index webhook_deliveries_ended on work.webhook_deliveries (due_at) where status <> 'pending';
  `,
};
