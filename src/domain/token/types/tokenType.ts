/** Faults by the path below `data` (`''`: data itself). */
export type DataFaults = Record<string, string[]>;

export type CheckedData = { valid: true; data: unknown } | { valid: false; faults: DataFaults };

export type SecretPath = {
  /** Below `data`; empty: all of it. */
  path: readonly string[];
  /** Whether its first digits and its last four are no secret. */
  mayShowEnds: boolean;
  /** A card's number or code: who sees more of it needs to be let by a rule. Source: PCI DSS 3.4.1. */
  isOfCard: boolean;
};

/** What sets one type of token apart from the others. */
export type TokenType = {
  name: string;
  defaultContainer: string;
  /** Undefined: reads under the mask transform show no data. */
  defaultMask: unknown;
  defaultFingerprintExpression: string;
  defaultSearchIndexes: readonly string[];
  /** Checks the data and brings it into the stored form. */
  check(data: unknown): CheckedData;
  /** Strings in the data that an id must not contain. */
  secrets(data: unknown): string[];
  /** Where in the data lies what a mask may show no more of than its ends. */
  secretPaths: readonly SecretPath[];
  /** The property that is gone an hour after it was stored, if there is one. */
  shortLivedProperty?: string;
};

export const valid = (data: unknown): CheckedData => ({ valid: true, data });

export const checked = (data: unknown, faults: DataFaults): CheckedData =>
  Object.keys(faults).length === 0 ? valid(data) : { valid: false, faults };

export function isObject(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}
