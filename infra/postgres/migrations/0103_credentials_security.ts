import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * A key is looked up before its tenant is known: row-level security shows the credentials whose digests the statement
 * names in `hf.digests`, and those of the tenant in `hf.tenant`. The subquery is run once a statement.
 */
export const credentialsSecurity: Migration = {
  name: '0103_credentials_security',
  sql: `
    alter table vault.credentials enable row level security;
    create policy tenant on vault.credentials to holdfast_vault
      using (tenant_id = nullif(current_setting('hf.tenant', true), '')::uuid);
    create policy lookup on vault.credentials for select to holdfast_vault
      using (digest = any (coalesce((select nullif(current_setting('hf.digests', true), '')::bytea[]), '{}')));
  `,
};
