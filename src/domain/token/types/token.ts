import { valid } from '#domain/token/types/tokenType.ts';
import type { TokenType } from '#domain/token/types/tokenType.ts';

/** Any JSON value. */
export const tokenTokenType: TokenType = {
  name: 'token',
  defaultContainer: '/general/high/',
  defaultMask: undefined,
  defaultFingerprintExpression: '{{ data | stringify }}',
  defaultSearchIndexes: [],
  check: valid,
  secrets: () => [],
  secretPaths: [{ path: [], mayShowEnds: true, isOfCard: false }],
};
