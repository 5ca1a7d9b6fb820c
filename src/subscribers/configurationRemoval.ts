import type { ProxyEvent } from '#domain/proxy/events.ts';
import type { ReactorEvent } from '#domain/reactor/events.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import type { Vault } from '#ports/vault.ts';
import { leftBehind, removal } from '#subscribers/removal.ts';

/** Removes from the vault the configurations that no reactor or proxy has any more. */
export const configurationRemoval = (vault: Vault): Subscriber =>
  removal<Exclude<ReactorEvent | ProxyEvent, { type: `${'reactor' | 'proxy'}.${'created' | 'signed'}` }>>(
    vault,
    {
      name: 'configuration_removal',
      types: ['reactor.updated', 'reactor.deleted', 'proxy.updated', 'proxy.deleted'],
    },
    leftBehind,
  );
