import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * Tokens that were created, read or changed in a month. A timer takes them from the newest entries of the audit
 * log, which a block range index finds at next to no cost for those who write.
 */
export const usage: Migration = {
  name: '0013_usage',
  sql: `
    create index entries_time on audit.entries using brin (occurred_at) with (pages_per_range = 32);

    create table work.active_tokens (
      tenant_id uuid not null,
      month date not null,
      token_id text not null,
      primary key (tenant_id, month, token_id)
    );
    alter table work.active_tokens enable row level security;
    create policy tenant on work.active_tokens for select to holdfast_api
      using (tenant_id = nullif(current_setting('hf.tenant', true), '')::uuid);
    grant select on work.active_tokens to holdfast_api;

    -- How far the entries were looked at.
    create table work.active_tokens_counted (
      only_row boolean primary key default true check (only_row),
      counted_to timestamptz not null
    );
    insert into work.active_tokens_counted (counted_to) values (date_trunc('month', now()));
  `,
};
