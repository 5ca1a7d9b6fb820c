import type { DomainEvent } from '#domain/event.ts';
import { foldStream } from '#domain/fold.ts';
import type { Fold } from '#domain/fold.ts';
import type { EventLog, RecordedEvent } from '#ports/eventLog.ts';

export type LoadedStream<State> = {
  state: State;
  revision: bigint | 'none';
  /** The last event, when there is one. */
  last: RecordedEvent | undefined;
  /** Whether a command with this id has written here. */
  writtenBy(commandId: string): boolean;
};

/** Reads a stream and folds it. */
export async function loadStream<State, Event extends DomainEvent>(
  log: EventLog,
  stream: string,
  fold: Fold<State, Event>,
): Promise<LoadedStream<State>> {
  const events = await log.readStream(stream);
  const last = events.at(-1);
  return {
    state: foldStream(fold, events),
    revision: last === undefined ? 'none' : last.revision,
    last,
    writtenBy: (commandId) => events.some((event) => event.metadata.command_id === commandId),
  };
}
