import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * Lets replays begin near their first moment, and yield to what is new; pauses of endpoints, for all workers alike. All events up to a position of `log_times`
 * occurred before the end of its minute; what the log held before this step is taken to have occurred by now.
 */
export const webhookReplays: Migration = {
  name: '0078_webhook_replays',
  sql: `
    create table work.log_times (
      minute timestamptz not null primary key,
      position text not null
    );
    insert into work.log_times (minute, position)
      select date_trunc('minute', greatest(now(),
        (select max((metadata->>'occurred_at')::timestamptz) from event_log.events))), position
      from work.subscriptions where name = 'webhook_fan_out' and position is not null;

    alter table work.webhook_deliveries add column replayed boolean not null default false;
    drop index work.webhook_deliveries_due;
    create index webhook_deliveries_due on work.webhook_deliveries (webhook_id, replayed, due_at, ordinal)
      where status = 'pending';
    -- What is retried is told by an event.
    revoke update on work.webhook_deliveries from holdfast_api;

    -- An overloaded receiver asked for it; nothing is sent before.
    alter table work.webhook_endpoints add column paused_until timestamptz;

    -- Those that were asked for take turns.
    alter table work.webhook_replays add column turn_at timestamptz not null default now();
  `,
};
