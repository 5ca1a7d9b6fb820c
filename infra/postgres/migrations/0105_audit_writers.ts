import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * The register of those who write the audit log: a chain of the first entries of all chains, so that a chain that vanishes is
 * missed. What a tag is made of is `infra/audit/register.ts`. A first batch and its row in the register are stored
 * together; nobody but the owner touches the table.
 */
export const auditWriters: Migration = {
  name: '0105_audit_writers',
  sql: `
    create table audit.writers (
      number int8 primary key,
      writer_id uuid not null unique,
      -- The tag of its first entry.
      first_tag text not null,
      -- Its chain began before there was a register.
      is_older boolean not null,
      tag text not null
    );

    create function audit.last_writer() returns table (number int8, tag text)
    language sql stable security definer set search_path = '' as $$
      select w.number, w.tag from audit.writers w order by w.number desc limit 1
    $$;

    -- Chains that began before there was a register, with the tags of their first entries, in the order of their ids.
    create function audit.unregistered_writers() returns table (writer_id uuid, first_tag text)
    language sql stable security definer set search_path = '' as $$
      with recursive known as (
        (select e.writer_id from audit.entries e order by e.writer_id limit 1)
        union all
        select (select e.writer_id from audit.entries e where e.writer_id > k.writer_id order by e.writer_id limit 1)
        from known k where k.writer_id is not null
      )
      select k.writer_id, first.tag
      from known k cross join lateral (
        select e.tag from audit.entries e where e.writer_id = k.writer_id order by e.sequence limit 1
      ) first
      where not exists (select from audit.writers w where w.writer_id = k.writer_id)
      order by k.writer_id
    $$;

    -- Adds the first lines of a chain, and rows of the register of which its own is the last, all or none. Answers how
    -- far the chain has come; -1 when the register has come further than to just before these rows.
    create function audit.append_first(
      numbers int8[], writers uuid[], first_tags text[], older boolean[], tags text[], lines text
    ) returns int8
    language plpgsql security definer set search_path = '' as $$
    declare
      added int8;
    begin
      lock table audit.writers in exclusive mode;
      if (select coalesce(max(w.number), 0) from audit.writers w) >= numbers[1] then
        return -1;
      end if;
      insert into audit.writers (number, writer_id, first_tag, is_older, tag)
      select * from unnest(numbers, writers, first_tags, older, tags);
      get diagnostics added = row_count;
      if added <> cardinality(numbers) then
        raise exception 'not every writer of the audit log was kept';
      end if;
      return audit.append(writers[cardinality(writers)], 1, lines);
    end $$;

    revoke execute on function audit.last_writer, audit.unregistered_writers, audit.append_first from public;
    grant execute on function audit.last_writer, audit.unregistered_writers, audit.append_first to holdfast_api;
  `,
};
