import type pg from 'pg';
import { announcementOf, viewsChannel } from '#projections/engine/announcement.ts';
import { earliest, lockCheckpoints } from '#projections/engine/checkpoints.ts';
import type { Engine } from '#projections/engine/engine.ts';
import { transaction, withConnection } from '#projections/engine/session.ts';

/**
 * Changes a view from outside the runner: holds the fence, and makes the runner load the view again.
 */
export function intervene<Result>(
  engine: Engine,
  view: string,
  run: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return withConnection(engine.pool, (client) =>
    transaction(client, async () => {
      const checkpoints = await lockCheckpoints(client);
      const result = await run(client);
      await client.query('update work.projection_checkpoints set revision = revision + 1 where view = $1', [
        view,
      ]);
      const reached = earliest(
        engine.log,
        checkpoints.map(({ position }) => position),
      );
      await client.query('select pg_notify($1, $2)', [viewsChannel, announcementOf(reached, 'all')]);
      return result;
    }),
  );
}
