import type { FaultList } from '#commands/attributes.ts';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { namesShortLived } from '#commands/token/lasting.ts';
import { partShortLived } from '#access/shortLived.ts';
import type { TokenType } from '#domain/token/types/tokenType.ts';
import { ExpressionError, renderText } from '#expressions/index.ts';
import type { Json } from '#ports/json.ts';
import type { PayloadToStore } from '#ports/vault.ts';

/** A value that must be gone an hour after it was stored. */
export type ShortLived = { value: Json; storedAt: Date };

/** What of a token lies in the vault. */
export type SecretContent = Pick<PayloadToStore, 'data' | 'shortLived' | 'fingerprint' | 'blindIndexes'>;

/** A tenant may do without fingerprints; what is to be deduplicated cannot. Source: reference of tenants. */
export const isFingerprinted = (
  { tenantSettings }: Pick<CommandContext, 'tenantSettings'>,
  deduplicate: boolean,
): boolean => deduplicate || tenantSettings?.['fingerprint_tokens'] !== 'false';

export type SecretInput = {
  tenantId: string;
  type: TokenType;
  /** Checked data, with everything in it. */
  data: Json;
  metadata: Readonly<Record<string, string>> | undefined;
  fingerprintExpression: string;
  isFingerprinted: boolean;
  searchIndexes: readonly string[];
  /** When the short-lived property that the data holds was stored. */
  shortLivedStoredAt: Date;
};

/**
 * Parts the short-lived property from the rest, and renders fingerprint and search indexes of the rest: they stay
 * when the property is gone, and must not tell what it was.
 */
export async function secretContent(
  { vault }: Pick<CommandDependencies, 'vault'>,
  input: SecretInput,
  path: (attribute: string) => string,
  faults: FaultList,
): Promise<SecretContent> {
  const { lasting: data, shortLived } = partShortLived(input.type, input.data);
  const stored = {
    data,
    shortLived:
      shortLived === undefined ? undefined : { value: shortLived, storedAt: input.shortLivedStoredAt },
  };
  const bindings = { data, metadata: input.metadata ?? {} };
  const rendered = renderOrFault(
    input.fingerprintExpression,
    bindings,
    path('fingerprint_expression'),
    faults,
  );
  const indexed = input.searchIndexes.map((expression, index) =>
    renderIndex(input.type, expression, { data }, path(`search_indexes[${index}]`), faults),
  );
  if (faults.any) return stored;
  const values = [...new Set(indexed.filter((value) => value !== undefined))];
  return {
    ...stored,
    fingerprint:
      rendered === undefined || rendered === '' || !input.isFingerprinted
        ? undefined
        : await vault.fingerprint(input.tenantId, input.type.name, rendered, ownExpression(input)),
    blindIndexes: await Promise.all(values.map((value) => vault.blindIndex(input.tenantId, value))),
  };
}

/** The expression, where it is not the type's. */
const ownExpression = ({ type, fingerprintExpression }: SecretInput): string | undefined =>
  fingerprintExpression === type.defaultFingerprintExpression ? undefined : fingerprintExpression;

function renderIndex(
  type: TokenType,
  expression: string,
  bindings: Record<string, Json>,
  path: string,
  faults: FaultList,
): string | undefined {
  const value = renderOrFault(expression, bindings, path, faults);
  // A token from before such indexes were refused can still be changed: it is no longer found by this one.
  if (value === undefined && !(path in faults.faults) && !namesShortLived(type, expression)) {
    faults.add(path, 'must render to a value for this data');
  }
  return value;
}

/** A rendered text; undefined for null and for the empty text. @throws ExpressionError */
function renderedText(expression: string, bindings: Record<string, Json>): string | undefined {
  const value = renderText(expression, bindings);
  if (value === null || value === undefined || value === '') return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What a fingerprint is taken of; undefined: nothing. @param data what lasts of it */
export function fingerprintedText(
  expression: string,
  data: Json,
  metadata: Readonly<Record<string, string>>,
): string | undefined {
  try {
    return renderedText(expression, { data, metadata });
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

/** A rendered text; undefined for null, for the empty text, and for a fault. */
function renderOrFault(
  expression: string,
  bindings: Record<string, Json>,
  path: string,
  faults: FaultList,
): string | undefined {
  try {
    return renderedText(expression, bindings);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    faults.add(path, error.message);
    return undefined;
  }
}
