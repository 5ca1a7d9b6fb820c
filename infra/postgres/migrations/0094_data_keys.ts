import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * One data key for the payloads of a tenant and a day, in the place of one beside each payload. Rows with a
 * `wrapped_key` are of before, and stay readable until `keys rewrap` has sealed them anew.
 */
export const dataKeys: Migration = {
  name: '0094_data_keys',
  sql: `
    alter table vault.payloads
      alter column wrapped_key drop not null,
      -- Apart from the ciphertext, which lies in another file when it is large: it goes with the row.
      add column salt bytea;

    create table vault.data_keys (
      tenant_id uuid not null,
      -- Of the tenant key that wraps it.
      key_version int4 not null,
      -- Days since 1970-01-01, and which of the day's keys.
      day int4 not null,
      ordinal int4 not null check (ordinal between 0 and 65535),
      wrapped_key bytea not null,
      primary key (tenant_id, key_version, day, ordinal)
    );
    alter table vault.data_keys enable row level security;
    create policy tenant on vault.data_keys to holdfast_vault
      using (tenant_id = nullif(current_setting('hf.tenant', true), '')::uuid);
    grant select, insert, delete on vault.data_keys to holdfast_vault;
  `,
};
