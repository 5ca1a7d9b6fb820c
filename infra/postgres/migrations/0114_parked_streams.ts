import type { Migration } from '#infra/postgres/migrations/migration.ts';

/** Lets every process know which streams a view could not take, so that answers about them say so. */
export const parkedStreams: Migration = {
  name: '0114_parked_streams',
  sql: `
    grant select (stream, status) on work.projection_failures to holdfast_api;

    create function work.announce_parked() returns trigger language plpgsql as $$
    begin
      perform pg_notify('holdfast_views', '{"position":null,"parked":true}');
      return null;
    end $$;

    create trigger announce_parked after insert or update or delete on work.projection_failures
      for each statement execute function work.announce_parked();
  `,
};
