import type { DomainEvent } from '#domain/event.ts';
import { foldStream } from '#domain/fold.ts';
import type { Fold } from '#domain/fold.ts';
import { readEventsToFold } from '#src/eventsToFold.ts';
import type { EventsToFold } from '#src/eventsToFold.ts';
import type { EventLog, RecordedEvent } from '#ports/eventLog.ts';

export type LoadedStream<State> = {
  state: State;
  revision: bigint | 'none';
  /** The last event, when there is one. */
  last: RecordedEvent | undefined;
  /** Whether a command with this id has written here. */
  writtenBy(commandId: string): boolean;
};

/** A stream as it was at a revision. */
export type KnownStream<State> = Pick<LoadedStream<State>, 'state' | 'revision'>;

/** Reads a stream and folds it; where an earlier state of it is known, from there on, `last` and `writtenBy` too. */
export async function loadStream<State, Event extends DomainEvent>(
  log: EventLog,
  stream: string,
  fold: Fold<State, Event>,
  known?: KnownStream<State>,
): Promise<LoadedStream<State>> {
  const { events, from, rest } = await eventsAfter(log, stream, fold, known);
  const last = events.at(-1);
  return {
    state: foldStream(fold, rest, from),
    revision: last?.revision ?? known?.revision ?? 'none',
    last,
    writtenBy: (commandId) => events.some((event) => event.metadata.command_id === commandId),
  };
}

async function eventsAfter<State, Event extends DomainEvent>(
  log: EventLog,
  stream: string,
  fold: Fold<State, Event>,
  known: KnownStream<State> | undefined,
): Promise<EventsToFold<State>> {
  if (known === undefined || known.revision === 'none') return readEventsToFold(log, stream, fold);
  const events = await log.readStream(stream, known.revision + 1n);
  return { events, from: known.state, rest: events };
}
