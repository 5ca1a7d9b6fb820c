import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * What is to be sent to webhooks, and what became of it. `claimed_until` is the lease of the worker that sends it;
 * bodies hold no secrets, and are forgotten with their row.
 */
export const webhookDeliveries: Migration = {
  name: '0015_webhook_deliveries',
  sql: `
    create sequence work.webhook_delivery_order;
    create table work.webhook_deliveries (
      tenant_id uuid not null,
      id uuid not null,
      webhook_id uuid not null,
      event_id uuid not null,
      kind text not null,
      -- The stream of the event: what is of one subject is sent one after the other.
      subject text not null,
      body text not null,
      status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
      attempts int4 not null default 0,
      -- In the order of the log among those that are due at once.
      ordinal int8 not null default nextval('work.webhook_delivery_order'),
      due_at timestamptz not null default now(),
      claimed_until timestamptz,
      outcome text,
      response_status int4,
      duration_ms int4,
      last_attempt_at timestamptz,
      created_at timestamptz not null default now(),
      primary key (tenant_id, id)
    );
    create index webhook_deliveries_due on work.webhook_deliveries (webhook_id, due_at, ordinal)
      where status = 'pending';
    create index webhook_deliveries_newest on work.webhook_deliveries (tenant_id, webhook_id, ordinal desc);
    create index webhook_deliveries_ended on work.webhook_deliveries (created_at) where status <> 'pending';
    alter table work.webhook_deliveries enable row level security;
    create policy tenant on work.webhook_deliveries to holdfast_api
      using (tenant_id = nullif(current_setting('hf.tenant', true), '')::uuid);
    grant select, update on work.webhook_deliveries to holdfast_api;

    -- How the endpoints fare that anything was ever sent to.
    create table work.webhook_endpoints (
      tenant_id uuid not null,
      webhook_id uuid not null primary key,
      -- Since when nothing was accepted; null: the last attempt was.
      failing_since timestamptz
    );

    create table work.webhook_replays (
      tenant_id uuid not null,
      id uuid not null primary key,
      webhook_id uuid not null,
      from_time timestamptz not null,
      to_time timestamptz not null,
      -- Where the log is read from next, and where it ends for this replay.
      position text,
      last_position text not null
    );
  `,
};
