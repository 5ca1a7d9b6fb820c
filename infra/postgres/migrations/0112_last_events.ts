import type { Migration } from '#infra/postgres/migrations/migration.ts';

/**
 * Each checkpoint keeps the last event that was applied (`id`, `stream`, `revision`, `position`), by which a log that was
 * put back to an earlier state is known also after it has grown again. Null: of before, or nothing was applied.
 * Processes of before move checkpoints by the function of five parameters, and leave the event as it is.
 */
export const lastEvents: Migration = {
  name: '0112_last_events',
  sql: `
    alter table work.projection_checkpoints add column last_event jsonb;
    alter table work.subscriptions add column last_event jsonb;
    grant select (name, log_id, position, last_event) on work.subscriptions to holdfast_api;

    create function work.advance_checkpoints(
      views text[], revisions int8[], leaves text[], reaches text[], announcement text, last_events jsonb[]
    ) returns void language plpgsql as $$
    declare
      advanced int8;
      present int8;
    begin
      perform from work.projection_checkpoints order by view for update nowait;
      update work.projection_checkpoints as c
      set position = m.reaches,
          last_event = coalesce(m.last_event, c.last_event),
          updated_at = case when m.reaches is distinct from m.leaves then now() else c.updated_at end
      from unnest(views, revisions, leaves, reaches, last_events) as m(view, revision, leaves, reaches, last_event)
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
