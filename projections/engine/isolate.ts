import type pg from 'pg';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Failure } from '#projections/engine/failures.ts';
import { describeError, isDataError } from '#projections/engine/failures.ts';
import type { Feed } from '#projections/engine/project.ts';
import { failureOf, isWanted, project, rowWrites, settle } from '#projections/engine/project.ts';

/**
 * Applies events within the caller's transaction, also when the tables refuse some: halves them until those
 * stand alone, and parks them. The feed knows its parked streams at once, so it must be loaded again when the
 * transaction fails.
 * @returns the events that were parked; recording them is left to the caller
 */
export async function applyIsolating(
  client: pg.ClientBase,
  feed: Feed,
  events: readonly RecordedEvent[],
): Promise<Failure[]> {
  const failures: Failure[] = [];

  async function attempt(part: readonly RecordedEvent[]): Promise<void> {
    if (part.length === 0) return;
    const projected = project(feed, part);
    await client.query('savepoint attempt');
    try {
      for (const statement of rowWrites(projected)) await client.query(statement);
    } catch (error) {
      if (!isDataError(error)) throw error;
      await client.query('rollback to savepoint attempt');
      await narrow(part, error);
      return;
    }
    await client.query('release savepoint attempt');
    failures.push(...projected.failures);
    settle(projected);
  }

  async function narrow(part: readonly RecordedEvent[], error: unknown): Promise<void> {
    const [first] = part;
    if (part.length === 1 && first !== undefined) {
      failures.push(failureOf(feed, first, describeError(error)));
      feed.parked.add(first.stream);
      return;
    }
    const middle = Math.ceil(part.length / 2);
    await attempt(part.slice(0, middle));
    await attempt(part.slice(middle));
  }

  await attempt(events.filter((event) => isWanted(feed, event)));
  return failures;
}
