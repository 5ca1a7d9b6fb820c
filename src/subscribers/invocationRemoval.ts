import type { InvocationEvent } from '#domain/invocation/events.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import type { Vault } from '#ports/vault.ts';
import { removal } from '#subscribers/removal.ts';

const ending = [
  'reactor.completed',
  'reactor.failed',
  'reactor.callback.delivered',
  'reactor.callback.failed',
] as const;

type Ending = Extract<InvocationEvent, { type: (typeof ending)[number] }>;

/** Removes from the vault the arguments of what has run, and the URLs that nothing is sent to any more. */
export const invocationRemoval = (vault: Vault): Subscriber =>
  removal<Ending>(vault, { name: 'invocation_removal', types: ending }, ({ data }) =>
    'args_payload_id' in data ? data.args_payload_id : data.callback_payload_id,
  );
