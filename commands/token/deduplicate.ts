import { hasExpired } from '#src/expiry.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { loadStream } from '#commands/stream.ts';
import { mayAnywhere, transformFor } from '#access/evaluate.ts';
import { isToldFingerprints, mayMeet } from '#access/fingerprints.ts';
import { showToken } from '#access/showToken.ts';
import type { ShownToken } from '#access/showToken.ts';
import { canStandFor, holdTheSame } from '#commands/token/twins.ts';
import type { Wanted } from '#commands/token/twins.ts';
import { tokenFold } from '#domain/token/state.ts';
import type { LiveToken } from '#domain/token/state.ts';
import { tokenTypeOf } from '#domain/token/types/index.ts';
import type { Json } from '#ports/json.ts';
import { Conflicted, NotFound } from '#src/errors.ts';
import { IntegrityError } from '#ports/vault.ts';
import { readTokenPayload } from '#src/payloads.ts';

/** How long another request that makes the same token is waited for, in milliseconds. */
const patience = 5_000;
const retry = 15;
const beingCreated = 'Another request is creating this token: try again.';

export type Claimed = {
  /** The tokens that there are already in the place of wanted ones; the fingerprints of the others are claimed. */
  existing: ReadonlyMap<Wanted, LiveToken>;
  /**
   * Right before the tokens of the other fingerprints are written.
   * @throws Conflicted when another request has taken a claim over, because this one took too long
   */
  confirm(): Promise<void>;
  /** To be called when the tokens of the other fingerprints are written, or will not be. */
  release(): Promise<void>;
};

/**
 * Finds tokens that are like the wanted ones and that the caller may be told of, and makes sure that for the others
 * nobody else makes one meanwhile. spec: Create Token, deduplicate_token
 * @throws Conflicted when another request holds on to a fingerprint for too long
 */
export async function claimFingerprints(
  dependencies: CommandDependencies,
  context: CommandContext,
  wanted: readonly Wanted[],
): Promise<Claimed> {
  const { fingerprintClaims } = dependencies;
  const { tenantId, commandId } = context;
  if (meetsNone(context)) {
    return { existing: new Map(), confirm: () => Promise.resolve(), release: () => Promise.resolve() };
  }
  const existing = new Map<Wanted, LiveToken>();
  const held: string[] = [];
  const release = async (): Promise<void> => {
    // What is not given up runs out by itself.
    await Promise.allSettled(held.map((print) => fingerprintClaims.release(tenantId, print, commandId)));
  };
  const deadline = performance.now() + patience;
  try {
    // One order for everybody: two requests never wait for each other.
    for (const one of inOrder(wanted)) {
      const { fingerprint } = one;
      for (;;) {
        const wasHeld = held.includes(fingerprint);
        const isHeld = wasHeld || (await fingerprintClaims.take(tenantId, fingerprint, commandId));
        if (isHeld && !wasHeld) held.push(fingerprint);
        const token = await tokenLike(dependencies, context, one);
        if (token !== undefined) existing.set(one, token);
        if (isHeld || token !== undefined) break;
        if (performance.now() > deadline) {
          throw new Conflicted(beingCreated);
        }
        await sleep(retry);
      }
    }
  } catch (error) {
    await release();
    throw error;
  }
  const confirm = async (): Promise<void> => {
    if (held.length === 0 || (await fingerprintClaims.confirm(tenantId, held, commandId))) return;
    throw new Conflicted(beingCreated);
  };
  return { existing, confirm, release };
}

const inOrder = (wanted: readonly Wanted[]): Wanted[] =>
  wanted.toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));

/** Who reads nothing is answered nothing that was there: no other request needs to wait for its tokens. */
const meetsNone = ({ rights, meets = rights }: CommandContext): boolean =>
  meets !== 'all' && meets.publicFingerprints !== true && !mayAnywhere(meets, 'token:read');

/**
 * The oldest live token like a wanted one that the caller may be told of; the view may be behind, so the streams are
 * asked, and what tokens hold is compared: their fingerprints are the database's word alone.
 */
async function tokenLike(
  { vault, log, clock }: CommandDependencies,
  { tenantId, rights, meets = rights }: CommandContext,
  wanted: Wanted,
): Promise<LiveToken | undefined> {
  const payloads = await vault.findByFingerprint(tenantId, wanted.fingerprint);
  const tokens = await Promise.all(
    payloads.map(async ({ id, stream }) => {
      const { state } = await loadStream(log, stream, tokenFold);
      const isCurrent = state.status === 'live' && state.payloadId === id;
      return isCurrent && !hasExpired(state, clock) ? state : undefined;
    }),
  );
  const alike = tokens
    .filter((token) => token !== undefined)
    .filter((token) => canStandFor(token, wanted))
    .filter((token) => meets === 'all' || mayMeet(meets, token))
    .sort(byCreation);
  for (const token of alike) {
    const data = await dataOf(vault, token);
    if (data === undefined) continue;
    if (holdTheSame(wanted, { type: tokenTypeOf(token), attributes: token, data })) return token;
  }
  return undefined;
}

/** What lasts of it; undefined where it is gone or cannot be read, so that nothing can be like it. */
async function dataOf(vault: CommandDependencies['vault'], token: LiveToken): Promise<Json | undefined> {
  try {
    return await (await readTokenPayload(vault, token))?.data();
  } catch (error) {
    if (error instanceof IntegrityError) return undefined;
    throw error;
  }
}

/** Each change of a token makes a new payload, so those say nothing of its age. */
const byCreation = (a: LiveToken, b: LiveToken): number =>
  Date.parse(a.createdAt) - Date.parse(b.createdAt) || (a.id < b.id ? -1 : 1);

/**
 * A token that was there already, under the caller's transform for reading. An application with `public_fingerprints`
 * that may not read it gets what anybody who knows its content may know of it.
 * Source: reference of deduplication.
 */
export async function showExisting(
  { vault }: Pick<CommandDependencies, 'vault'>,
  { rights }: CommandContext,
  token: LiveToken,
): Promise<ShownToken> {
  const payload = await readTokenPayload(vault, token);
  if (payload === undefined) throw new NotFound();
  const transform = transformFor(rights, 'token:read', token);
  if (transform !== undefined) {
    const shown = await showToken(token, payload, transform);
    const told = isToldFingerprints(rights) ? {} : { fingerprint: undefined };
    return { ...shown, ...told, isTransient: true, isExisting: true };
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
