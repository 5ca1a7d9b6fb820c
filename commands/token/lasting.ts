import type { FaultList } from '#commands/attributes.ts';
import type { TokenType } from '#domain/token/types/tokenType.ts';
import { namesProperty } from '#expressions/index.ts';

/** Attributes whose expressions render to what outlives the short-lived property of the data. */
type Expressions = {
  search_indexes?: readonly string[] | null;
  fingerprint_expression?: string | null;
};

/** Adds a fault for each expression of a request that asks for what is gone after an hour. spec: CVC retention */
export function checkLasting(
  type: TokenType,
  { search_indexes, fingerprint_expression }: Expressions,
  path: (attribute: string) => string,
  faults: FaultList,
): void {
  const check = (expression: string, attribute: string): void => {
    const fault = lastingFault(type, expression);
    if (fault !== undefined) faults.add(path(attribute), fault);
  };
  if (typeof fingerprint_expression === 'string') check(fingerprint_expression, 'fingerprint_expression');
  search_indexes?.forEach((expression, index) => {
    check(expression, `search_indexes[${index}]`);
  });
}

/** What is wrong with an expression whose value is kept longer than the short-lived property, or undefined. */
export function lastingFault(type: TokenType, expression: string): string | undefined {
  if (!namesShortLived(type, expression)) return undefined;
  return `must render to a value without data.${type.shortLivedProperty}, which is gone an hour after it was stored`;
}

export const namesShortLived = ({ shortLivedProperty }: TokenType, expression: string): boolean =>
  shortLivedProperty !== undefined && namesProperty(expression, shortLivedProperty);
