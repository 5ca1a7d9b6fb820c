/** Who did it: an application by its key, an operator by the command line, or the service itself. */
export type ActorOfEvent = { type: 'application' | 'system' | 'operator'; id: string };

/** What the domain sees of an event in the log. */
export type DomainEvent<Type extends string = string, Data extends object = object> = {
  readonly type: Type;
  readonly data: Data;
  readonly metadata: {
    readonly tenant_id: string;
    readonly actor: ActorOfEvent;
    /** ISO 8601, UTC. */
    readonly occurred_at: string;
  };
};

/** The application that did it; undefined when it was an operator or the service itself. */
export const authorOf = ({ metadata: { actor } }: Pick<DomainEvent, 'metadata'>): string | undefined =>
  actor.type === 'application' ? actor.id : undefined;

/** An event that a decision wants: its metadata is the command's affair. */
export type Decided<Event extends DomainEvent> =
  Event extends DomainEvent<infer Type, infer Data> ? { readonly type: Type; readonly data: Data } : never;

/** A refusal of a decision, in the field's words; http gives it a status. */
export type Refusal =
  | { readonly refused: 'already_exists'; readonly detail: string }
  | { readonly refused: 'not_found' }
  /** Well formed, and at odds with the state that the thing is in. */
  | { readonly refused: 'conflict'; readonly detail: string }
  /** Wrong in itself: messages by the path of what is wrong. */
  | { readonly refused: 'invalid'; readonly faults: Faults }
  | { readonly refused: 'unprocessable'; readonly detail: string };

/** Messages by path in what was asked for. */
export type Faults = Record<string, string[]>;

export type Decision<Event extends DomainEvent> = readonly Decided<Event>[] | Refusal;

export function isRefusal<Event extends DomainEvent>(decision: Decision<Event>): decision is Refusal {
  return 'refused' in decision;
}

/** Closes a switch over a union: a new member makes this call a type error. */
export function unreachable(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}
