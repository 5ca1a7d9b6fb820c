import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * How far each view has come, and the events it could not take. A view that is no longer part of the code is
 * removed by a migration of its own, which deletes its checkpoint and drops its tables.
 *
 * `revision` grows with every change that someone other than the runner makes to a view (a rebuild, a
 * replay): a runner that finds another revision than the one it loaded starts over from what is stored.
 * `advance_checkpoints` is the runner's fence: it holds all checkpoints or raises HF001, so that the
 * statements which follow it in the same pipeline cannot be committed by a runner that lost its place.
 */
export const projections: Migration = {
  name: '0003_projections',
  sql: `
    create table work.projection_checkpoints (
      view text primary key,
      version int4 not null,
      position text,
      log_id text not null,
      status text not null check (status in ('live', 'stopped')),
      last_error text,
      revision int8 not null default 0,
      updated_at timestamptz not null default now()
    ) with (fillfactor = 20);
    grant select on work.projection_checkpoints to holdfast_api;

    create table work.projection_failures (
      view text not null,
      event_id uuid not null,
      stream text not null,
      revision int8 not null,
      position text not null,
      type text not null,
      status text not null default 'parked' check (status in ('parked', 'skipped')),
      error text,
      parked_at timestamptz not null default now(),
      primary key (view, event_id)
    );
    create index projection_failures_stream on work.projection_failures (view, stream, revision);

    create table work.projection_unknown_types (
      type text primary key,
      events int8 not null,
      last_position text not null,
      last_seen_at timestamptz not null default now()
    );

    create function work.advance_checkpoints(
      views text[], revisions int8[], leaves text[], reaches text[], announcement text
    ) returns void language plpgsql as $$
    declare
      advanced int8;
      present int8;
    begin
      perform from work.projection_checkpoints order by view for update nowait;
      update work.projection_checkpoints as c
      set position = m.reaches,
          updated_at = case when m.reaches is distinct from m.leaves then now() else c.updated_at end
      from unnest(views, revisions, leaves, reaches) as m(view, revision, leaves, reaches)
      where c.view = m.view and c.revision = m.revision and c.position is not distinct from m.leaves;
      get diagnostics advanced = row_count;
      select count(*) into present from work.projection_checkpoints;
      if advanced <> present then
        raise exception 'the checkpoints were changed by someone else' using errcode = 'HF001';
      end if;
      perform pg_notify('holdfast_views', announcement);
    end $$;
  `,
};
