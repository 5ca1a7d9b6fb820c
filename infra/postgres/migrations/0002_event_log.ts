import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * The embedded event log. Only `event_log.append` writes: it holds one lock from before the first position is
 * drawn until the commit, so positions become visible in their order and a reader may simply remember the
 * highest that it saw. Columns of type `json` keep the text as it came; nothing in SQL looks inside.
 */
export const eventLog: Migration = {
  name: '0002_event_log',
  sql: `
    create schema event_log;

    create table event_log.identity (
      singleton boolean primary key default true check (singleton),
      id uuid not null default gen_random_uuid()
    );
    insert into event_log.identity default values;

    create table event_log.events (
      position bigserial primary key,
      stream text collate "C" not null,
      revision bigint not null,
      id uuid not null unique,
      type text not null,
      data json not null,
      metadata json not null,
      unique (stream, revision)
    );

    create function event_log.refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'events are never changed or removed' using errcode = 'restrict_violation';
    end $$;
    create trigger events_are_immutable before update or delete or truncate on event_log.events
      for each statement execute function event_log.refuse_change();

    -- Appends a batch. An append is (stream, expected, size, group): expected is the revision that the stream
    -- must have, -1 for none; the members of a group are written together or not at all. Its events are the
    -- next of ids, types, data and metadata, in order; data and metadata are JSON texts, one a line. A batch
    -- names a stream once. The answer has a row for each append, in order: the revision that its stream had,
    -- and the position of its last event, null when it was not written.
    create function event_log.append(
      streams text[], expected bigint[], sizes int[], groups int[],
      ids uuid[], types text[], data text, metadata text
    ) returns table (head bigint, written bigint)
    language plpgsql security definer set search_path = '' as $$
    declare
      heads bigint[];
      owners int[];
      repeated bigint[];
      refused int[];
      positions bigint[];
    begin
      -- A statement of its own: those below must see what was committed while this one waited.
      perform pg_advisory_xact_lock(4650112);
      if current_setting('transaction_isolation') <> 'read committed' then
        raise exception 'the event log is appended to in read committed transactions only';
      end if;

      heads := array(
        select coalesce(
          (select e.revision from event_log.events e where e.stream = a.stream order by e.revision desc limit 1),
          -1)
        from unnest(streams) with ordinality a (stream, n) order by a.n);
      owners := array(
        select a.n from unnest(sizes) with ordinality a (size, n), generate_series(1, a.size) order by a.n);

      if heads <> expected then
        -- The same events right after the expected revision: a repetition, answered with the first result.
        repeated := array(
          select (
            select max(e.position) from event_log.events e
            where e.stream = a.stream and e.revision > a.expected and e.revision <= a.expected + a.size
            having array_agg(e.id order by e.revision) =
              array(select i.id from unnest(ids, owners) with ordinality i (id, owner, n)
                    where i.owner = a.n order by i.n))
          from unnest(streams, expected, sizes) with ordinality a (stream, expected, size, n) order by a.n);
        refused := array(
          select distinct a.group_number
          from unnest(groups, heads, expected, repeated) a (group_number, head, expected, repeated)
          where a.head <> a.expected and a.repeated is null);
      end if;

      with inserted as (
        insert into event_log.events (stream, revision, id, type, data, metadata)
        select
          streams[e.owner],
          expected[e.owner] + row_number() over (partition by e.owner order by e.n),
          e.id, e.type, e.data::json, e.metadata::json
        from unnest(owners, ids, types, string_to_array(data, E'\\n'), string_to_array(metadata, E'\\n'))
          with ordinality e (owner, id, type, data, metadata, n)
        where heads[e.owner] = expected[e.owner] and (refused is null or groups[e.owner] <> all (refused))
        order by e.n
        returning events.stream, events.position
      ), last_of_stream as (
        select i.stream, max(i.position) as position from inserted i group by i.stream
      )
      select array_agg(l.position order by a.n) into positions
      from unnest(streams) with ordinality a (stream, n) left join last_of_stream l on l.stream = a.stream;

      if exists (select from unnest(positions) p where p is not null) then
        perform pg_notify('holdfast_log', '');
      end if;
      return query
        select a.head, coalesce(a.position, a.repeated) from unnest(heads, positions, repeated) a (head, position, repeated);
    end $$;

    revoke execute on function event_log.append from public;
    grant usage on schema event_log to holdfast_api;
    grant select on event_log.events, event_log.identity to holdfast_api;
    grant execute on function event_log.append to holdfast_api;
  `,
};
