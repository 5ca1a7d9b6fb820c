import type { LogPage } from '#ports/eventLog.ts';
import { applyPage } from '#projections/engine/applyPage.ts';
import { earliest, isFenceLost } from '#projections/engine/checkpoints.ts';
import type { Engine } from '#projections/engine/engine.ts';
import type { LiveView } from '#projections/engine/live.ts';
import { loadViews } from '#projections/engine/live.ts';
import type { Session } from '#projections/engine/session.ts';
import { isContention, pause } from '#projections/engine/session.ts';
import { recordUnknownTypes } from '#projections/engine/unknownTypes.ts';

/** A page without events moves the checkpoints this often at most, in milliseconds. */
const quietInterval = 5_000;
/** A rebuild that is about to end holds the checkpoints for a moment, in milliseconds. */
const fenceRetry = 20;
/** How often is looked for the first view that another process builds, in milliseconds. */
const emptyRetry = 250;

/** Applies the log to the live views until a signal aborts or the views have to be loaded again. */
export async function follow(
  engine: Engine,
  session: Session,
  signal: AbortSignal,
  onPage: (page: LogPage) => void,
): Promise<void> {
  const views = await loadViews(engine, session.client);
  const fed = views.filter(({ feed }) => feed !== undefined);
  if (fed.length === 0) {
    await pause(emptyRetry, signal);
    return;
  }
  const known = new Set(engine.knownTypes);
  const start = earliest(
    engine.log,
    fed.map(({ checkpoint }) => checkpoint.position),
  );
  let appliedAt = performance.now();
  for await (const page of engine.log.subscribe(start, undefined, signal)) {
    const isQuiet = page.events.length === 0 && performance.now() - appliedAt < quietInterval;
    if (page.scanned !== null && !isQuiet) {
      const outcome = await applyFenced(engine, session, views, page, known, signal);
      if (outcome === 'reload') return;
      appliedAt = performance.now();
    }
    onPage(page);
  }
}

async function applyFenced(
  engine: Engine,
  session: Session,
  views: readonly LiveView[],
  page: LogPage,
  known: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<'applied' | 'reload'> {
  try {
    await applyPage(engine.log, session.client, views, page, recordUnknownTypes(known, page.events));
    return 'applied';
  } catch (error) {
    if (isFenceLost(error)) return 'reload';
    if (!isContention(error)) throw error;
    await pause(fenceRetry, signal);
    return 'reload';
  }
}
