import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * Credentials carry a MAC, and whether those of before it, and the rights of before it, have been signed: a row says
 * that they have, once for ever.
 */
export const signedRights: Migration = {
  name: '0091_signed_rights',
  sql: `
    alter table vault.credentials add column mac text;
    create table vault.signed_rights (
      only_row boolean primary key default true check (only_row),
      signed_at timestamptz not null default now()
    );
  `,
};
