import type { ReactorEvent } from '#domain/reactor/events.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import type { Vault } from '#ports/vault.ts';
import { leftBehind, removal } from '#subscribers/removal.ts';

/** Removes from the vault the configurations that no reactor has any more. */
export const configurationRemoval = (vault: Vault): Subscriber =>
  removal<Extract<ReactorEvent, { type: 'reactor.updated' | 'reactor.deleted' }>>(
    vault,
    { name: 'configuration_removal', types: ['reactor.updated', 'reactor.deleted'] },
    leftBehind,
  );
