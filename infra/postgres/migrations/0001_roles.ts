import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * The connecting user owns everything and is a member of two roles that own nothing: `holdfast_api` serves
 * requests over the read models, `holdfast_vault` touches ciphertext. Neither bypasses row-level security.
 * Roles belong to the whole server, so several databases (and concurrent migrations) meet the same ones.
 */
export const roles: Migration = {
  name: '0001_roles',
  sql: `
    do $$
    declare wanted text;
    begin
      foreach wanted in array array['holdfast_api', 'holdfast_vault'] loop
        if not exists (select from pg_roles where rolname = wanted) then
          begin
            execute format('create role %I nologin noinherit nobypassrls', wanted);
          exception when duplicate_object or unique_violation then null;
          end;
        end if;
        if not pg_has_role(current_user, wanted, 'member') then
          execute format('grant %I to current_user', wanted);
        end if;
      end loop;
    end $$;
    create schema read_models;
    create schema work;
    create schema vault;
    grant usage on schema read_models, work to holdfast_api;
    grant usage on schema vault to holdfast_vault;
  `,
};
