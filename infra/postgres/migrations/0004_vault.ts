import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * Ciphertext, blind indexes and wrapped keys. What a tenant owns is seen by `holdfast_vault` only within a
 * statement that names the tenant in `hf.tenant`; sweeps and key administration run as the owner.
 */
export const vault: Migration = {
  name: '0004_vault',
  sql: `
    create table vault.root_key_check (
      only_row boolean primary key default true check (only_row),
      root_key text not null,
      wrapped_key bytea not null
    );

    -- Counts changes of tenant keys, so that a process can tell that its cache is old.
    create table vault.key_state (
      only_row boolean primary key default true check (only_row),
      generation int8 not null default 0
    );
    insert into vault.key_state default values;

    create table vault.key_processes (
      process_id uuid primary key,
      generation int8 not null,
      seen_at timestamptz not null
    );

    -- Keys that are nobody's in particular: the one that application keys are hashed with.
    create table vault.system_keys (
      purpose text primary key,
      root_key text not null,
      wrapped_key bytea not null
    );

    create table vault.tenant_keys (
      tenant_id uuid not null,
      purpose text not null check (purpose in ('data', 'fingerprint', 'index', 'short_lived')),
      version int4 not null,
      state text not null check (state in ('active', 'decrypt_only', 'retired')),
      root_key text not null,
      wrapped_key bytea not null,
      -- The generation in which it got its state.
      generation int8 not null,
      created_at timestamptz not null default now(),
      retired_at timestamptz,
      primary key (tenant_id, purpose, version)
    );
    create unique index on vault.tenant_keys (tenant_id, purpose) where state = 'active';

    -- A tenant whose keys were destroyed stays without, and what it left is swept.
    create table vault.destroyed_tenants (
      tenant_id uuid primary key,
      destroyed_at timestamptz not null default now(),
      swept boolean not null default false
    );

    create table vault.payloads (
      tenant_id uuid not null,
      id uuid not null,
      stream text not null,
      key_version int4 not null,
      wrapped_key bytea not null,
      ciphertext bytea not null,
      fingerprint text,
      created_at timestamptz not null,
      expires_at timestamptz,
      primary key (tenant_id, id)
    );
    -- Ciphertext does not compress: do not let the server try.
    alter table vault.payloads alter column ciphertext set storage external;
    create index payloads_created on vault.payloads (created_at, id) where expires_at is null;
    create index payloads_expiring on vault.payloads (expires_at) where expires_at is not null;

    create table vault.blind_indexes (
      tenant_id uuid not null,
      digest bytea not null,
      payload_id uuid not null,
      primary key (tenant_id, digest, payload_id)
    );
    create index blind_indexes_payload on vault.blind_indexes (tenant_id, payload_id);

    create table vault.short_lived_parts (
      tenant_id uuid not null,
      payload_id uuid not null,
      epoch int8 not null,
      epoch_key_id uuid not null,
      ciphertext bytea not null,
      stored_at timestamptz not null,
      primary key (tenant_id, payload_id)
    );
    create index short_lived_parts_stored on vault.short_lived_parts (stored_at);

    -- Not in the write-ahead log, so in no replica, archive or base backup; emptied by crash recovery.
    create unlogged table vault.epoch_keys (
      tenant_id uuid not null,
      epoch int8 not null,
      id uuid not null,
      wrapped_key bytea not null,
      primary key (tenant_id, epoch)
    );

    create table vault.credentials (
      tenant_id uuid not null,
      key_id uuid not null,
      application_id uuid not null,
      digest bytea not null unique,
      created_at timestamptz not null default now(),
      primary key (tenant_id, key_id)
    );
    create index credentials_application on vault.credentials (tenant_id, application_id);

    -- How far a sweep that looks at everything once has come.
    create table vault.sweeps (
      name text primary key,
      swept_to timestamptz not null
    );

    do $$
    declare owned text;
    begin
      foreach owned in array array['tenant_keys', 'destroyed_tenants', 'payloads', 'blind_indexes',
                                   'short_lived_parts', 'epoch_keys'] loop
        execute format('alter table vault.%I enable row level security', owned);
        execute format(
          'create policy tenant on vault.%I to holdfast_vault
             using (tenant_id = nullif(current_setting(''hf.tenant'', true), '''')::uuid)', owned);
      end loop;
    end $$;

    grant select, insert on vault.root_key_check, vault.system_keys to holdfast_vault;
    grant select, update on vault.key_state to holdfast_vault;
    grant select, insert, update, delete on vault.key_processes to holdfast_vault;
    grant select, insert, delete on
      vault.tenant_keys, vault.payloads, vault.blind_indexes, vault.short_lived_parts, vault.epoch_keys
      to holdfast_vault;
    grant select, insert on vault.destroyed_tenants to holdfast_vault;
    grant select, insert, update, delete on vault.credentials to holdfast_vault;
  `,
};
