import type { ConnectionEvent } from '#domain/connection/events.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import type { Vault } from '#ports/vault.ts';
import { removal } from '#subscribers/removal.ts';

type Ending = Extract<ConnectionEvent, { type: 'connection.updated' | 'connection.forgotten' }>;

/** Removes from the vault the fields that no connection has any more; an update may have kept them. */
export const connectionRemoval = (vault: Vault): Subscriber =>
  removal<Ending>(
    vault,
    { name: 'connection_removal', types: ['connection.updated', 'connection.forgotten'] },
    (event) =>
      event.type === 'connection.forgotten' ? event.data.payload_id : event.data.previous_payload_id,
  );
