import Type from 'typebox';
import type { Static } from 'typebox';
import type { DomainEvent } from '#domain/event.ts';

export const invocationStream = (tenantId: string, id: string): string => `invocation-${tenantId}.${id}`;

/** `id` is the reactor's, as in all events that are told of a reactor. */
const invocation = { id: Type.String(), request_id: Type.String() };
/** The reactor's, as it was when it was invoked; absent of old events. */
const name = Type.Optional(Type.String());
const outcome = {
  ...invocation,
  name,
  invocation_type: Type.Literal('async'),
  /** The HTTP status of the answer. */
  status: Type.Integer(),
  /** Of the run, in milliseconds. */
  elapsed_ms: Type.Integer(),
  /** Where the vault kept the arguments, which are superfluous from here on. */
  args_payload_id: Type.String(),
  /** Where the vault keeps the answer. Never that itself. */
  result_payload_id: Type.String(),
};

export const ReactorInvoked = Type.Object({
  ...invocation,
  name,
  invocation_type: Type.Literal('async'),
  /** Where the vault keeps the arguments, and the rights that the call was made with. */
  args_payload_id: Type.String(),
  /** Where the vault keeps the URL that the answer is to be sent to; absent: it is asked for. */
  callback_payload_id: Type.Optional(Type.String()),
});
/** Code is run once: from here on it may have done what must not be done twice. */
export const ReactorStarted = Type.Object({ ...invocation });
export const ReactorCompleted = Type.Object({ ...outcome });
export const ReactorFailed = Type.Object({
  ...outcome,
  /** `code`: it threw, or was stopped; `interrupted`: the service ended; `too_late`: it was never run. */
  reason: Type.Union([Type.Literal('code'), Type.Literal('interrupted'), Type.Literal('too_late')]),
  /** A fixed phrase for the reason or status; nothing that code said. */
  error: Type.String(),
});

const attempt = {
  ...invocation,
  /** 1 is the first. */
  attempt: Type.Integer(),
  /** The HTTP status that came back, or the kind of obstacle. */
  outcome: Type.String(),
};
/** A callback was not accepted, and is tried again. */
export const ReactorCallbackDeferred = Type.Object({
  ...attempt,
  /** ISO 8601. */
  next_at: Type.String(),
});
export const ReactorCallbackDelivered = Type.Object({ ...attempt, callback_payload_id: Type.String() });
/** A callback was given up. */
export const ReactorCallbackFailed = Type.Object({ ...attempt, callback_payload_id: Type.String() });

export type InvocationEvent =
  | DomainEvent<'reactor.invoked', Static<typeof ReactorInvoked>>
  | DomainEvent<'reactor.started', Static<typeof ReactorStarted>>
  | DomainEvent<'reactor.completed', Static<typeof ReactorCompleted>>
  | DomainEvent<'reactor.failed', Static<typeof ReactorFailed>>
  | DomainEvent<'reactor.callback.deferred', Static<typeof ReactorCallbackDeferred>>
  | DomainEvent<'reactor.callback.delivered', Static<typeof ReactorCallbackDelivered>>
  | DomainEvent<'reactor.callback.failed', Static<typeof ReactorCallbackFailed>>;
