import type { Migration } from '#infra/postgres/migrations/migration.ts';

/** Lets tenants, not replays, take turns, and requests see how many replays a webhook has. */
export const replayTurns: Migration = {
  name: '0087_replay_turns',
  sql: `
    create table work.webhook_replay_turns (
      tenant_id uuid not null primary key,
      -- When one of its replays was last gone on with.
      turn_at timestamptz not null
    );

    create index webhook_replays_of_webhook on work.webhook_replays (tenant_id, webhook_id);
    alter table work.webhook_replays enable row level security;
    create policy tenant on work.webhook_replays to holdfast_api
      using (tenant_id = nullif(current_setting('hf.tenant', true), '')::uuid);
    grant select on work.webhook_replays to holdfast_api;
  `,
};
