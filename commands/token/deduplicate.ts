import { hasExpired } from '#src/expiry.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { loadStream } from '#commands/stream.ts';
import { transformFor } from '#access/evaluate.ts';
import { showToken } from '#access/showToken.ts';
import type { ShownToken } from '#access/showToken.ts';
import { tokenFold } from '#domain/token/state.ts';
import type { LiveToken } from '#domain/token/state.ts';
import { Conflicted, NotFound } from '#src/errors.ts';

/** How long another request that makes the same token is waited for, in milliseconds. */
const patience = 5_000;
const retry = 15;

export type Claimed = {
  /** The tokens that there are already, by fingerprint; the other fingerprints are claimed. */
  existing: ReadonlyMap<string, LiveToken>;
  /** To be called when the tokens of the other fingerprints are written, or will not be. */
  release(): Promise<void>;
};

/**
 * Finds the tokens with these fingerprints, and makes sure that for the others nobody else makes one meanwhile.
 * spec: Create Token, deduplicate_token
 * @throws Conflicted when another request holds on to a fingerprint for too long
 */
export async function claimFingerprints(
  dependencies: CommandDependencies,
  { tenantId, commandId }: CommandContext,
  fingerprints: readonly string[],
): Promise<Claimed> {
  const { fingerprintClaims } = dependencies;
  const existing = new Map<string, LiveToken>();
  const held: string[] = [];
  const release = async (): Promise<void> => {
    // What is not given up runs out by itself.
    await Promise.allSettled(held.map((print) => fingerprintClaims.release(tenantId, print, commandId)));
  };
  const deadline = performance.now() + patience;
  try {
    // One order for everybody: two requests never wait for each other.
    for (const fingerprint of [...new Set(fingerprints)].sort()) {
      for (;;) {
        const isHeld = await fingerprintClaims.take(tenantId, fingerprint, commandId);
        if (isHeld) held.push(fingerprint);
        const token = await tokenWith(dependencies, tenantId, fingerprint);
        if (token !== undefined) existing.set(fingerprint, token);
        if (isHeld || token !== undefined) break;
        if (performance.now() > deadline) {
          throw new Conflicted('Another request is creating this token: try again.');
        }
        await sleep(retry);
      }
    }
  } catch (error) {
    await release();
    throw error;
  }
  return { existing, release };
}

/** The oldest live token with a fingerprint; the view may be behind, so the streams are asked. */
async function tokenWith(
  { vault, log, clock }: CommandDependencies,
  tenantId: string,
  fingerprint: string,
): Promise<LiveToken | undefined> {
  for (const { id, stream } of await vault.findByFingerprint(tenantId, fingerprint)) {
    const { state } = await loadStream(log, stream, tokenFold);
    const isCurrent = state.status === 'live' && state.payloadId === id;
    if (isCurrent && !hasExpired(state, clock)) return state;
  }
  return undefined;
}

/**
 * A token that was there already: under the caller's transform for reading, or what everybody who knows its content
 * may know of it. Source: reference of deduplication.
 */
export async function showExisting(
  { vault }: Pick<CommandDependencies, 'vault'>,
  { rights }: CommandContext,
  token: LiveToken,
): Promise<ShownToken> {
  const payload = (await vault.read(token.tenantId, [token.payloadId])).get(token.payloadId);
  if (payload === undefined) throw new NotFound();
  const transform = transformFor(rights, 'token:read', token);
  if (transform !== undefined) {
    const shown = await showToken(token, payload, transform);
    return { ...shown, isTransient: true, isExisting: true };
  }
  const fingerprint = payload.fingerprint ?? undefined;
  return {
    token,
    transform: 'redact',
    rendered: 'redact',
    fingerprint,
    data: undefined,
    isTransient: true,
    isExisting: true,
    isUnreadable: true,
  };
}
