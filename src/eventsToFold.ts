import type { DomainEvent } from '#domain/event.ts';
import { lastWhole } from '#domain/fold.ts';
import type { Fold } from '#domain/fold.ts';
import type { EventLog, RecordedEvent } from '#ports/eventLog.ts';

/**
 * So many events are read of the end of a stream, however long it is, where one of them tells the whole state. It is
 * also how far back a command that is repeated finds what it wrote.
 */
export const tailLength = 64;

export type EventsToFold<State> = {
  /** All that were read, oldest first. */
  events: readonly RecordedEvent[];
  /** What to fold `rest` from. */
  from: State;
  rest: readonly RecordedEvent[];
};

/** What a stream's state is folded from: its end, if that tells all, and else the whole of it. */
export async function readEventsToFold<State, Event extends DomainEvent>(
  log: Pick<EventLog, 'readStream' | 'readStreamEnd'>,
  stream: string,
  fold: Fold<State, Event>,
): Promise<EventsToFold<State>> {
  if (fold.restore !== undefined) {
    const events = await log.readStreamEnd(stream, tailLength);
    if (events.length < tailLength) return { events, from: fold.initial, rest: events };
    const whole = lastWhole(fold, events);
    if (whole !== undefined) return { events, from: whole.state, rest: whole.after };
  }
  const events = await log.readStream(stream);
  return { events, from: fold.initial, rest: events };
}
