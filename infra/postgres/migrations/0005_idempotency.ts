import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * One row an idempotency key in use. The digest is keyed and covers application, method, route and key:
 * clients put into keys and routes what must not lie in a table in the clear.
 */
export const idempotency: Migration = {
  name: '0005_idempotency',
  sql: `
    create table work.idempotency_keys (
      tenant_id uuid not null,
      digest bytea not null,
      command_id uuid not null,
      holder uuid not null,
      lease_until timestamptz not null,
      status int4,
      answer_id uuid,
      expires_at timestamptz not null,
      primary key (tenant_id, digest)
    );
    create index idempotency_keys_expiring on work.idempotency_keys (expires_at);
    alter table work.idempotency_keys enable row level security;
    create policy tenant on work.idempotency_keys to holdfast_api
      using (tenant_id = nullif(current_setting('hf.tenant', true), '')::uuid);
    grant select, insert, update on work.idempotency_keys to holdfast_api;
  `,
};
