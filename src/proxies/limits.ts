/** What bounds a request through a proxy. Sizes in bytes, times in milliseconds. Source: reference of proxies; spec: Limits. */
export const proxyingLimits = {
  /** Of a body that expressions are looked for in. */
  searchedBytes: 5 * 1_048_576,
  /** Of a body that a transform is given. spec: Limits, Reactors */
  transformedBytes: 1_048_576,
  /** Of a body that is handed on as it comes, in either direction. */
  streamedBytes: 256 * 1_048_576,
  /** From the first byte out to the last one in. */
  total: 300_000,
  /** Of the headers that a transform returns, in characters. */
  headers: 16_384,
  /** How often a request may come through proxies. */
  passages: 3,
} as const;
