import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * Who is making a token for a fingerprint just now, so that two requests that deduplicate make one. A claim lives
 * for the time of a request; which token has a fingerprint is known from the vault and the token's stream.
 */
export const fingerprintClaims: Migration = {
  name: '0008_fingerprint_claims',
  sql: `
    create table work.fingerprint_claims (
      tenant_id uuid not null,
      fingerprint text not null,
      holder uuid not null,
      lease_until timestamptz not null,
      primary key (tenant_id, fingerprint)
    );
    create index fingerprint_claims_lease on work.fingerprint_claims (lease_until);
    alter table work.fingerprint_claims enable row level security;
    create policy tenant on work.fingerprint_claims to holdfast_api
      using (tenant_id = nullif(current_setting('hf.tenant', true), '')::uuid);
    grant select, insert, update, delete on work.fingerprint_claims to holdfast_api;
  `,
};
