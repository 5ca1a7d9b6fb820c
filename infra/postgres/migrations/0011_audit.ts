import { columnNames, columnsOfLine, fieldsInLine } from '#infra/audit/line.ts';
import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * The audit log. Every process that writes has a chain of its own, numbered from 1; what a tag is made of is
 * `infra/audit/line.ts`. `holdfast_api` may append entries and read those of the tenant in `hf.tenant`, no more.
 */
export const audit: Migration = {
  name: '0011_audit',
  sql: `
    create schema audit;
    create table audit.entries (
      writer_id uuid not null,
      sequence int8 not null,
      occurred_at timestamptz not null,
      tenant_id uuid,
      actor_type text not null,
      actor_id text not null,
      key_id text not null,
      operation text not null,
      entity_type text not null,
      entity_id text not null,
      outcome text not null,
      status int4 not null,
      detail text not null,
      address text not null,
      trace_id text not null,
      event_id uuid,
      event_digest text not null,
      tag text not null,
      primary key (writer_id, sequence)
    );
    create index entries_newest on audit.entries (tenant_id, occurred_at, writer_id, sequence);
    create index entries_of_entity on audit.entries (tenant_id, entity_type, entity_id, occurred_at);
    create index entries_refused on audit.entries (tenant_id, occurred_at) where outcome = 'refused';
    create unique index entries_event on audit.entries (event_id) where event_id is not null;

    alter table audit.entries enable row level security;
    create policy read on audit.entries for select to holdfast_api
      using (tenant_id = nullif(current_setting('hf.tenant', true), '')::uuid);
    grant usage on schema audit to holdfast_api;
    grant select on audit.entries to holdfast_api;

    -- Adds entries to a chain, all or none, when the chain has come to just before them; answers how far it has come.
    -- An earlier call of the same writer whose answer was lost may still be at work: the lock waits for it.
    create function audit.append(writer uuid, first int8, lines text) returns int8
    language plpgsql security definer set search_path = '' as $$
    declare
      last int8;
      added int8;
    begin
      perform pg_advisory_xact_lock(hashtextextended(writer::text, 4650130));
      last := coalesce(
        (select e.sequence from audit.entries e where e.writer_id = writer order by e.sequence desc limit 1), 0);
      if last <> first - 1 or lines = '' then
        return last;
      end if;
      insert into audit.entries (writer_id, ${columnNames}, tag)
      select writer, ${columnsOfLine}, fields[${fieldsInLine + 1}]
      from (
        select string_to_array(line, E'\\t') as fields from unnest(string_to_array(lines, E'\\n')) as given (line)
      ) as split;
      get diagnostics added = row_count;
      if added <> 1 + length(lines) - length(replace(lines, E'\\n', '')) then
        raise exception 'not every entry of the audit log was kept';
      end if;
      return last + added;
    end $$;
    -- Whether an entry would be kept: adds one, and takes it back.
    create function audit.is_writable() returns boolean
    language plpgsql security definer set search_path = '' as $$
    declare
      added int8;
    begin
      insert into audit.entries
      values ('00000000-0000-0000-0000-000000000000', 0, now(), null, '', '', '', '', '', '', '', 0, '', '', '',
        null, '', '');
      get diagnostics added = row_count;
      raise exception '%', added using errcode = 'HF011';
    exception when sqlstate 'HF011' then
      return sqlerrm = '1';
    end $$;
    revoke execute on function audit.append, audit.is_writable from public;
    grant execute on function audit.append, audit.is_writable to holdfast_api;

    -- When a key was used last, as coarse as it is written.
    create table work.key_uses (
      tenant_id uuid not null,
      key_id uuid not null,
      last_used_at timestamptz not null,
      primary key (tenant_id, key_id)
    );
    alter table work.key_uses enable row level security;
    create policy tenant on work.key_uses to holdfast_api
      using (tenant_id = nullif(current_setting('hf.tenant', true), '')::uuid);
    grant select, insert, update on work.key_uses to holdfast_api;
  `,
};
