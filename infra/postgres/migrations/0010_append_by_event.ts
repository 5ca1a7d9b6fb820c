import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * The append of `0002_event_log`, with the same meaning: what belongs to each event is laid out in arrays of its own,
 * because looking it up in those of the streams takes time by the square of a batch.
 */
export const appendByEvent: Migration = {
  name: '0010_append_by_event',
  sql: `
    create or replace function event_log.append(
      streams text[], expected bigint[], sizes int[], groups int[],
      ids uuid[], types text[], data text, metadata text
    ) returns table (head bigint, written bigint)
    language plpgsql security definer set search_path = '' as $$
    declare
      heads bigint[];
      owners int[];
      repeated bigint[];
      refused int[];
      event_streams text[];
      event_revisions bigint[];
      event_accepted boolean[];
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

      if heads <> expected then
        owners := array(
          select a.n from unnest(sizes) with ordinality a (size, n), generate_series(1, a.size) order by a.n);
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

      select array_agg(a.stream order by a.n, k), array_agg(a.expected + k order by a.n, k),
        array_agg(
          a.head = a.expected and (refused is null or a.group_number <> all (refused)) order by a.n, k)
      into event_streams, event_revisions, event_accepted
      from unnest(streams, expected, sizes, groups, heads)
        with ordinality a (stream, expected, size, group_number, head, n), generate_series(1, a.size) k;

      with inserted as (
        insert into event_log.events (stream, revision, id, type, data, metadata)
        select e.stream, e.revision, e.id, e.type, e.data::json, e.metadata::json
        from unnest(
            event_streams, event_revisions, event_accepted, ids, types,
            string_to_array(data, E'\\n'), string_to_array(metadata, E'\\n'))
          with ordinality e (stream, revision, accepted, id, type, data, metadata, n)
        where e.accepted
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
        select a.head, coalesce(a.position, a.repeated)
        from unnest(heads, positions, repeated) a (head, position, repeated);
    end $$;
  `,
};
