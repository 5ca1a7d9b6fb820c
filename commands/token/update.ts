import { isDeepStrictEqual } from 'node:util';
import { FaultList, readContainers, readExpiry } from '#commands/attributes.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { DecideAgain, execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { answerOf } from '#commands/token/answer.ts';
import { tokenFold } from '#domain/token/state.ts';
import { claimFingerprints, showExisting } from '#commands/token/deduplicate.ts';
import type { Claimed } from '#commands/token/deduplicate.ts';
import type { Wanted } from '#commands/token/twins.ts';
import { liveTokenFor, requirePermission } from '#commands/token/permitted.ts';
import { checkClearText } from '#commands/token/checkClearText.ts';
import { patchUnderPrivacy } from '#commands/token/privacy.ts';
import type { WantedPrivacy } from '#commands/token/privacy.ts';
import { checkLasting } from '#commands/token/lasting.ts';
import { requireReveal } from '#commands/token/requireReveal.ts';
import { checkData, checkMask } from '#commands/token/prepare.ts';
import { isFingerprinted, secretContent } from '#commands/token/secret.ts';
import type { SecretContent } from '#commands/token/secret.ts';
import { mayReveal } from '#access/evaluate.ts';
import { joinShortLived } from '#access/shortLived.ts';
import type { ShownToken } from '#access/showToken.ts';
import { updateToken as decide } from '#domain/token/decide.ts';
import { tokenStream } from '#domain/token/events.ts';
import type { LiveToken, TokenAttributes } from '#domain/token/state.ts';
import { tokenTypeOf } from '#domain/token/types/index.ts';
import { isObject } from '#domain/token/types/tokenType.ts';
import type { TokenType } from '#domain/token/types/tokenType.ts';
import { mergePatch } from '#src/mergePatch.ts';
import type { Json, JsonObject } from '#ports/json.ts';
import { ValidationFailed } from '#src/errors.ts';
import { derivedId } from '#src/identifiers.ts';
import { readTokenPayload } from '#src/payloads.ts';

/** What a client may change of a token: absent members stay. spec: Update Token */
export type TokenPatch = {
  data?: Json;
  mask?: Json;
  metadata?: Readonly<Record<string, string | null>> | null;
  containers?: readonly string[] | null;
  privacy?: WantedPrivacy;
  search_indexes?: readonly string[] | null;
  fingerprint_expression?: string | null;
  deduplicate_token?: boolean | null;
  expires_at?: string | null;
};

type Patched = {
  attributes: Omit<TokenAttributes, 'payloadId'>;
  secret: SecretContent;
  data: Json;
  /** Of the token as it is. */
  fingerprintBefore: string | undefined;
};

/**
 * Merges a patch into a token, checks the whole anew and stores it as a new payload. When that gives it another
 * fingerprint, which is to be deduplicated, and another token has it, that one is answered, and nothing is changed. Nor
 * does a patch that names no attribute.
 * @throws ValidationFailed, NotFound, Forbidden, Conflicted, Unavailable
 */
export async function updateToken(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
  given: TokenPatch,
): Promise<Outcome<ShownToken>> {
  const { vault } = dependencies;
  const { tenantId } = context;
  const stream = tokenStream(tenantId, id);
  const payloadId = (revision: bigint | 'none'): string =>
    derivedId(context.commandId, stream, revision, 'payload');
  let patched: Patched = {
    attributes: unset,
    secret: { data: null },
    data: null,
    fingerprintBefore: undefined,
  };
  let claimed: (Claimed & { wanted: Wanted }) | undefined;
  let twin: LiveToken | undefined;
  const executed = await execute(dependencies, context, {
    stream,
    fold: tokenFold,
    decide: async (state, revision) => {
      const token = liveTokenFor(dependencies, context, state, 'token:update');
      const patch = patchUnderPrivacy(token, given);
      patched = await applyPatch(dependencies, context, token, patch);
      const { fingerprint } = patched.secret;
      const isNew = fingerprint !== undefined && fingerprint !== patched.fingerprintBefore;
      if (isNew && isToDeduplicate(context, patch)) {
        // One that is still wanted is kept: others wait for it, and would have changed the token by its next turn.
        if (claimed?.wanted.fingerprint !== fingerprint) await claimed?.release();
        const { attributes, secret } = patched;
        const wanted = { fingerprint, type: tokenTypeOf(token), attributes, data: secret.data };
        claimed = { ...(await claimFingerprints(dependencies, context, [wanted])), wanted };
        const existing = claimed.existing.get(wanted);
        twin = existing?.id === id ? undefined : existing;
        if (twin !== undefined) return [];
      }
      if (changesNothing(patch)) return [];
      await vault.store({ id: payloadId(revision), tenantId, stream, ...patched.secret });
      await claimed?.confirm();
      return decide(state, { ...patched.attributes, payloadId: payloadId(revision) });
    },
    discard: (revision) => vault.remove(tenantId, [payloadId(revision)]),
  }).finally(() => claimed?.release());
  if (twin !== undefined) {
    return settle(dependencies, undefined, await showExisting(dependencies, context, twin));
  }
  const answer = await answerOf(dependencies, context, 'token:update', executed, patched);
  return settle(dependencies, executed.position, answer);
}

/** The tenant's wish is about new data. */
const isToDeduplicate = ({ tenantSettings }: CommandContext, patch: TokenPatch): boolean =>
  patch.deduplicate_token ?? (patch.data !== undefined && tenantSettings?.['deduplicate_tokens'] === 'true');

/** Members that are not known here, and the wish to deduplicate, change nothing of a token. */
const changesNothing = (patch: TokenPatch): boolean =>
  Object.keys(patch).every((name) => !attributeNames.has(name));

const attributeNames: ReadonlySet<string> = new Set<keyof TokenPatch>([
  'data',
  'mask',
  'metadata',
  'containers',
  'search_indexes',
  'fingerprint_expression',
  'expires_at',
]);

const unset: Patched['attributes'] = {
  mask: undefined,
  containers: [],
  metadata: undefined,
  searchIndexes: undefined,
  fingerprintExpression: '',
  expiresAt: undefined,
};

async function applyPatch(
  dependencies: CommandDependencies,
  context: CommandContext,
  token: LiveToken,
  patch: TokenPatch,
): Promise<Patched> {
  const type = tokenTypeOf(token);
  const faults = new FaultList();
  const current = await currentData(dependencies, token, type);
  const merged = patch.data === undefined ? current.data : mergePatch(current.data, patch.data);
  const data = checkData(type, merged, 'data', faults);
  const attributes = patchedAttributes(dependencies, token, type, patch, faults);
  checkMask(attributes.mask, 'mask', faults);
  checkLasting(type, patch, (attribute) => attribute, faults);
  // Of the stored data only who may see it may be told that something else holds it.
  const known = mayReveal(context.rights, token) ? data : patch.data;
  checkClearText(context, patch, type.secrets(known), (attribute) => attribute, faults);
  if (faults.any) throw new ValidationFailed(faults.faults);
  requirePermission(context, 'token:update', { id: token.id, containers: attributes.containers });
  const isWhole = patch.data !== undefined && isDeepStrictEqual(mergePatch({}, patch.data), merged);
  requireReveal(context, token, { attributes, data, patch: patch.data, isWhole });
  const secret = await secretContent(
    dependencies,
    {
      tenantId: token.tenantId,
      type,
      data,
      metadata: attributes.metadata,
      fingerprintExpression: attributes.fingerprintExpression,
      isFingerprinted: isFingerprinted(context, isToDeduplicate(context, patch)),
      searchIndexes: attributes.searchIndexes ?? [],
      shortLivedStoredAt: shortLivedStoredAt(dependencies, type, patch, current.storedAt),
    },
    (attribute) => attribute,
    faults,
  );
  if (faults.any) throw new ValidationFailed(faults.faults);
  return { attributes, secret, data, fingerprintBefore: current.fingerprint };
}

async function currentData(
  { vault }: Pick<CommandDependencies, 'vault'>,
  token: LiveToken,
  type: TokenType,
): Promise<{ data: Json; storedAt: Date | undefined; fingerprint: string | undefined }> {
  const payload = await readTokenPayload(vault, token);
  if (payload === undefined) throw new DecideAgain('the payload was replaced or removed');
  const shortLived = await payload.shortLived();
  return {
    data: joinShortLived(type, await payload.data(), shortLived?.value),
    storedAt: shortLived?.storedAt,
    fingerprint: payload.fingerprint ?? undefined,
  };
}

/** A new value starts a new hour; one that the patch does not touch keeps its own. */
function shortLivedStoredAt(
  { clock }: Pick<CommandDependencies, 'clock'>,
  type: TokenType,
  patch: TokenPatch,
  storedAt: Date | undefined,
): Date {
  const property = type.shortLivedProperty;
  const touched = property !== undefined && isObject(patch.data) && property in patch.data;
  return touched || storedAt === undefined ? clock.now() : storedAt;
}

function patchedAttributes(
  { clock }: Pick<CommandDependencies, 'clock'>,
  token: LiveToken,
  type: TokenType,
  patch: TokenPatch,
  faults: FaultList,
): Patched['attributes'] {
  const searchIndexes =
    patch.search_indexes === undefined ? (token.searchIndexes ?? []) : (patch.search_indexes ?? []);
  return {
    mask: patchedMask(token.mask, patch.mask),
    containers:
      patch.containers === undefined
        ? token.containers
        : readContainers(patch.containers, type.defaultContainer, 'containers', faults),
    metadata: patchedMetadata(token.metadata, patch.metadata),
    searchIndexes: searchIndexes.length === 0 ? undefined : [...new Set(searchIndexes)],
    fingerprintExpression:
      patch.fingerprint_expression === undefined
        ? token.fingerprintExpression
        : (patch.fingerprint_expression ?? type.defaultFingerprintExpression),
    expiresAt:
      patch.expires_at === undefined
        ? token.expiresAt
        : readExpiry(patch.expires_at, clock, 'expires_at', faults),
  };
}

function patchedMask(current: unknown, patch: Json | undefined): unknown {
  if (patch === undefined) return current;
  return mergePatch((current ?? null) as Json, patch) ?? undefined;
}

function patchedMetadata(
  current: Readonly<Record<string, string>> | undefined,
  patch: TokenPatch['metadata'],
): Record<string, string> | undefined {
  if (patch === undefined) return current;
  const merged = mergePatch({ ...current }, patch as JsonObject | null);
  return merged === null ? undefined : (merged as Record<string, string>);
}
