import type { Migration } from '#infra/postgres/migrations/migration.ts';

/** Which invocations of which reactor left logs. What they say are payloads of the vault with the same ids. */
export const reactorLogs: Migration = {
  name: '0014_reactor_logs',
  sql: `
    create table work.reactor_logs (
      tenant_id uuid not null,
      reactor_id uuid not null,
      invocation_id uuid not null,
      started_at timestamptz not null,
      primary key (tenant_id, reactor_id, invocation_id)
    );
    create index reactor_logs_started on work.reactor_logs (started_at);
    alter table work.reactor_logs enable row level security;
    create policy tenant on work.reactor_logs to holdfast_api
      using (tenant_id = nullif(current_setting('hf.tenant', true), '')::uuid);
    grant select, insert, delete on work.reactor_logs to holdfast_api;
  `,
};
