import type { TokenEvent } from '#domain/token/events.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import type { Vault } from '#ports/vault.ts';
import { leftBehind, removal } from '#subscribers/removal.ts';

/** Removes from the vault what no token refers to any more. */
export const payloadRemoval = (vault: Vault): Subscriber =>
  removal<TokenEvent>(
    vault,
    { name: 'payload_removal', types: ['token.updated', 'token.deleted', 'token.expired'] },
    leftBehind,
  );
