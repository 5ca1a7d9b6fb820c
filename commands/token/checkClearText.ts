import type { FaultList } from '#commands/attributes.ts';
import type { CommandContext } from '#commands/context.ts';
import { clearTextFault } from '#domain/clearText.ts';
import type { Json } from '#ports/json.ts';

/** What of a token is kept in clear, as a request gives it; absent members are not looked at. */
export type ClearAttributes = {
  mask?: Json;
  metadata?: Readonly<Record<string, string | null>> | null;
  containers?: readonly string[] | null;
  search_indexes?: readonly string[] | null;
  fingerprint_expression?: string | null;
};

/**
 * Adds a fault for each attribute that holds a card number or one of these secrets: events keep it for ever.
 * @param secrets that the request itself gives: a refusal because of others would tell of them
 */
export function checkClearText(
  { tenantSettings }: Pick<CommandContext, 'tenantSettings'>,
  attributes: ClearAttributes,
  secrets: readonly string[],
  path: (attribute: string) => string,
  faults: FaultList,
): void {
  const check = (text: string, attribute: string): void => {
    faults.addIfAny(path(attribute), clearTextFault(text, secrets));
  };
  const { mask, metadata, containers, search_indexes, fingerprint_expression } = attributes;
  if (tenantSettings?.['card_numbers_in_metadata'] !== 'true') {
    for (const [name, value] of Object.entries(metadata ?? {})) {
      // A path must not repeat what is wrong with it.
      if (clearTextFault(name, secrets) !== undefined) check(name, 'metadata');
      else if (value !== null) check(value, `metadata.${name}`);
    }
  }
  containers?.forEach((container, index) => {
    check(container, `containers[${index}]`);
  });
  search_indexes?.forEach((expression, index) => {
    check(expression, `search_indexes[${index}]`);
  });
  if (typeof fingerprint_expression === 'string') check(fingerprint_expression, 'fingerprint_expression');
  for (const text of textsOf(mask ?? null)) check(text, 'mask');
}

/** Everything that a mask says, names too. */
function textsOf(mask: Json): string[] {
  if (Array.isArray(mask)) return mask.flatMap(textsOf);
  if (typeof mask !== 'object' || mask === null) return mask === null ? [] : [String(mask)];
  return Object.entries(mask).flatMap(([name, member]) => [name, ...textsOf(member ?? null)]);
}
