import type { DomainEvent } from '#domain/event.ts';

/** How the events of one kind of stream become a state. */
export type Fold<State, Event extends DomainEvent> = {
  readonly initial: State;
  evolve(state: State, event: Event): State;
  /** The state that an event tells whole, whatever came before; undefined of an event that does not. */
  restore?(event: Event): State | undefined;
  /**
   * What of a state decides access: each event of the stream carries a MAC over what it makes of that. Undefined of a
   * state that gives nobody access. Without this function, nothing of the stream is signed.
   */
  signed?(state: State): object | undefined;
};

/** The state that is told whole by the last event which tells one, and the events after it; undefined: none does. */
export function lastWhole<State, Event extends DomainEvent, Read extends Recorded>(
  fold: Fold<State, Event>,
  events: readonly Read[],
): { state: State; after: readonly Read[] } | undefined {
  for (let index = events.length - 1; index >= 0; index--) {
    const state = fold.restore?.(events[index] as unknown as Event);
    if (state !== undefined) return { state, after: events.slice(index + 1) };
  }
  return undefined;
}

/** What an event log answers, before anybody said of what kind the stream is. */
type Recorded = { type: string; data: object; metadata: object };

/**
 * Folds the events of a stream. The stream's category decides which types lie in it, so what was read is taken
 * for the union that the fold knows; a type that it does not know ends in its `never` check.
 */
export function foldStream<State, Event extends DomainEvent>(
  fold: Fold<State, Event>,
  events: readonly Recorded[],
  from: State = fold.initial,
): State {
  return events.reduce((state, event) => fold.evolve(state, event as unknown as Event), from);
}
