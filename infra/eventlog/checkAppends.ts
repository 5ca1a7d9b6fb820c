import type { Append } from '#ports/eventLog.ts';

/**
 * What no engine accepts, and each would refuse in its own way or not at all.
 * @throws RangeError for an append without events, or a stream named twice in one list
 */
export function checkAppends(appends: readonly Append[]): void {
  const streams = new Set<string>();
  for (const { stream, events } of appends) {
    if (events.length === 0) throw new RangeError('an append has at least one event');
    if (streams.has(stream)) throw new RangeError('a list of appends names each stream once');
    streams.add(stream);
  }
}
