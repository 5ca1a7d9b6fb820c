import { readReaders } from '#infra/eventlog/binding/installation.ts';
import { hasLost } from '#infra/eventlog/binding/sentences.ts';
import type { PlacedLog } from '#infra/eventlog/binding/sentences.ts';
import { isInPlace } from '#src/lastEvent.ts';
import type pg from 'pg';

/**
 * Makes sure that a log still has, in its place, every event that a view or a subscriber has applied last.
 * @throws WrongLog @throws LogUnavailable @throws StoreUnavailable
 */
export async function requireHistory(
  client: Pick<pg.ClientBase, 'query'>,
  { log, place }: PlacedLog,
): Promise<void> {
  // Mostly one event for all of them.
  const readers = new Map(
    (await readReaders(client)).flatMap((reader) =>
      reader.lastEvent === null ? [] : [[reader.lastEvent.id, { reader, last: reader.lastEvent }] as const],
    ),
  );
  for (const { reader, last } of readers.values()) {
    if (!(await isInPlace(log, last))) throw hasLost({ id: await log.logId(), place }, reader, last);
  }
}
