import { FaultList, readContainers, readExpiry } from '#commands/attributes.ts';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { idCandidates } from '#commands/token/ids.ts';
import type { IdCandidates } from '#commands/token/ids.ts';
import { requirePermission } from '#commands/token/permitted.ts';
import { containersUnder, isRedacted } from '#commands/token/privacy.ts';
import type { WantedPrivacy } from '#commands/token/privacy.ts';
import { checkLasting } from '#commands/token/lasting.ts';
import { refuseMisspelt } from '#commands/token/unknownMembers.ts';
import { isFingerprinted, secretContent } from '#commands/token/secret.ts';
import type { SecretContent } from '#commands/token/secret.ts';
import type { TokenAttributes } from '#domain/token/state.ts';
import { tokenTypeNamed, tokenTypeNames } from '#domain/token/types/index.ts';
import type { TokenType } from '#domain/token/types/tokenType.ts';
import { maskFault } from '#expressions/index.ts';
import type { Json } from '#ports/json.ts';
import { ValidationFailed } from '#src/errors.ts';

/** What a client may say of a new token. spec: Create Token */
export type NewTokenInput = {
  id?: string | null;
  type: string;
  data: Json;
  mask?: Json;
  containers?: readonly string[] | null;
  privacy?: WantedPrivacy;
  metadata?: Readonly<Record<string, string>> | null;
  search_indexes?: readonly string[] | null;
  fingerprint_expression?: string | null;
  deduplicate_token?: boolean | null;
  expires_at?: string | null;
};

/** A token that is checked, but not yet anywhere. */
export type PreparedToken = {
  /** Where the request asks for it; empty, or with a dot at its end. */
  path: string;
  ids: IdCandidates;
  type: TokenType;
  attributes: Omit<TokenAttributes, 'payloadId'>;
  secret: SecretContent;
  /** Whether an existing token with this fingerprint may be answered instead. */
  deduplicate: boolean;
  /** The data with everything in it, for the answer's mask. */
  data: Json;
};

/**
 * Checks a new token and works out all that follows from its data.
 * @param prefix comes before every path in an error (`primary_card.`)
 * @param part tells the tokens of one command apart
 * @throws ValidationFailed, Forbidden
 */
export async function prepareToken(
  dependencies: CommandDependencies,
  context: CommandContext,
  input: NewTokenInput,
  prefix: string,
  part: string,
): Promise<PreparedToken> {
  const faults = new FaultList();
  const path = (attribute: string): string => prefix + attribute;
  refuseMisspelt(input, path, faults);
  const type = tokenTypeNamed(input.type);
  if (type === undefined) {
    faults.add(path('type'), `must be one of ${tokenTypeNames.join(', ')}`);
    throw new ValidationFailed(faults.faults);
  }
  const data = checkData(type, input.data, path('data'), faults);
  const metadata = input.metadata ?? undefined;
  const searchIndexes = input.search_indexes ?? type.defaultSearchIndexes;
  const containers = containersUnder(input, [type.defaultContainer], path('privacy'), faults);
  const attributes = {
    mask: isRedacted(input, path('privacy'), faults) ? undefined : (input.mask ?? type.defaultMask),
    containers: readContainers(containers, type.defaultContainer, path('containers'), faults),
    metadata,
    searchIndexes: searchIndexes.length === 0 ? undefined : [...new Set(searchIndexes)],
    fingerprintExpression: input.fingerprint_expression ?? type.defaultFingerprintExpression,
    expiresAt: readExpiry(input.expires_at, dependencies.clock, path('expires_at'), faults),
  };
  checkMask(attributes.mask, path('mask'), faults);
  checkLasting(type, input, path, faults);
  if (faults.any) throw new ValidationFailed(faults.faults);
  const { commandId } = context;
  const ids = idCandidates({ given: input.id, type, data, commandId, part }, path('id'), faults);
  const deduplicate = input.deduplicate_token ?? context.tenantSettings?.['deduplicate_tokens'] === 'true';
  const secret = await secretContent(
    dependencies,
    {
      tenantId: context.tenantId,
      type,
      data,
      metadata,
      fingerprintExpression: attributes.fingerprintExpression,
      isFingerprinted: isFingerprinted(context, deduplicate),
      searchIndexes: attributes.searchIndexes ?? [],
      shortLivedStoredAt: dependencies.clock.now(),
    },
    path,
    faults,
  );
  if (faults.any) throw new ValidationFailed(faults.faults);
  requirePermission(context, 'token:create', {
    id: input.id?.includes('{{') === true ? undefined : (input.id ?? undefined),
    containers: attributes.containers,
  });
  return { path: prefix, ids, type, attributes, secret, deduplicate, data };
}

/** Data in its stored form; faults are named below `path`. */
export function checkData(type: TokenType, data: Json, path: string, faults: FaultList): Json {
  if (data === null) {
    faults.add(path, 'must not be null');
    return data;
  }
  const checked = type.check(data);
  if (checked.valid) return checked.data as Json;
  for (const [property, messages] of Object.entries(checked.faults)) {
    for (const message of messages) faults.add(property === '' ? path : `${path}.${property}`, message);
  }
  return data;
}

/** A mask may hold anything; only its size is bounded. A leaf that is no good shows nothing. */
export function checkMask(mask: unknown, path: string, faults: FaultList): void {
  const fault = mask === undefined ? undefined : maskFault(mask as Json);
  if (fault !== undefined) faults.add(path, fault);
}
