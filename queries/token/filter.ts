import type { Json } from '#ports/json.ts';

/** Which tokens are wanted. Absent members do not filter; all that are there must hold. Of several filters, any may. */
export type TokenFilter = {
  ids?: readonly string[] | undefined;
  /** Values are compared without regard to case. */
  metadata?: Readonly<Record<string, string>> | undefined;
  types?: readonly string[] | undefined;
  /** Container paths: a token lies in or below each of them. */
  containers?: readonly string[] | undefined;
  fingerprint?: string | undefined;
  /** Values of search indexes, compared exactly. */
  data?: readonly string[] | undefined;
  /** Both inclusive. */
  createdFrom?: Date | undefined;
  createdTo?: Date | undefined;
};

/** Where a page of a list ended. */
export type Place = { createdAt: string; ordinal: string };

/** Whether filters let every token through. */
export const isUnfiltered = (filters: readonly TokenFilter[]): boolean =>
  filters.some((filter) =>
    Object.values(filter as Record<string, Json | undefined>).every((wanted) => wanted === undefined),
  );
