import type { Engine } from '#projections/engine/engine.ts';
import { projectionNamed } from '#projections/engine/engine.ts';
import { intervene } from '#projections/engine/intervene.ts';

/** The event is not parked in this view. */
export class NotParked extends Error {
  override readonly name = 'NotParked';
}

/**
 * Leaves a parked event out of a view for good: also rebuilds leave it out. The events behind it stay parked
 * until they are replayed.
 * @throws UnknownView
 * @throws NotParked
 */
export async function skip(engine: Engine, view: string, eventId: string): Promise<void> {
  projectionNamed(engine, view);
  await intervene(engine, view, async (client) => {
    const { rowCount } = await client.query(
      `update work.projection_failures set status = 'skipped'
       where view = $1 and event_id::text = lower($2) and status = 'parked'`,
      [view, eventId],
    );
    if (rowCount !== 1) throw new NotParked(`the event ${eventId} is not parked in the view ${view}`);
  });
}
