import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * Payloads that no event refers to wait here, untouched in their table, before they are deleted. `stored_at` is
 * PostgreSQL's time of the last write of a payload, repetitions included: `created_at` is the application's, and stays.
 * Payloads of before have none; an orphan sweep knows when they were made.
 */
export const quarantine: Migration = {
  name: '0111_quarantine',
  sql: `
    alter table vault.payloads add column stored_at timestamptz;
    alter table vault.payloads alter column stored_at set default now();
    grant update (stored_at) on vault.payloads to holdfast_vault;
    create index payloads_stored on vault.payloads ((coalesce(stored_at, created_at)), id)
      where expires_at is null;
    drop index vault.payloads_created;

    create table vault.quarantined_payloads (
      tenant_id uuid not null,
      payload_id uuid not null,
      stream text not null,
      quarantined_at timestamptz not null default now(),
      -- When an event was looked for last.
      looked_at timestamptz not null default now(),
      primary key (tenant_id, payload_id)
    );
    create index quarantined_payloads_due on vault.quarantined_payloads (quarantined_at);
    create index quarantined_payloads_looked on vault.quarantined_payloads (looked_at);
    alter table vault.quarantined_payloads enable row level security;

    -- Why the last run deleted nothing, until one does again.
    alter table vault.sweeps add column stopped text;
  `,
};
