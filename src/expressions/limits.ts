/**
 * What bounds an expression, whoever wrote it. Lengths are UTF-16 code units. Together they hold the worst
 * case near a millisecond: see `test/expressions/hostile.unit.test.ts`.
 */
export const limits = {
  /** Text of one id, index, fingerprint expression or mask leaf. */
  expressionLength: 4_096,
  filters: 20,
  /** A text that a filter may take in or give out. */
  valueLength: 65_536,
  /** A separator, a format, a path: the text arguments of filters. */
  argumentLength: 1_000,
  /** Text of several expressions, or of one with text around it. */
  joinedLength: 1_048_576,
  /**
   * What `stringify` may take in and give out: the default fingerprint must work for any data a request can carry,
   * which is a megabyte, and more than four of them when all of it are numbers such as `9e20`.
   */
  stringifiedLength: 5_242_880,
  /** An alias becomes a token id, and so is no longer than one. */
  aliasLength: 400,
  pathSegments: 32,
  /** Of a mask as JSON, with quotes and all. */
  maskLength: 32_768,
  /** Below what a request as a whole may be nested to, or a mask would never meet its own limit. */
  maskDepth: 32,
  maskExpressions: 500,
  /** Characters that the expressions of a mask may show together, as JSON. */
  maskedLength: 1_048_576,
  /** Plain texts and expressions in the texts of one value that is detokenized. */
  references: 1_000,
  /** Texts of such a value that are named as wrong. */
  places: 100,
  tokenIdLength: 400,
  valueDepth: 100,
  jsonPathLength: 400,
  jsonPathNesting: 8,
  dateFormatLength: 100,
  /** Work units of one operation: an expression, a whole mask, a whole detokenized value. */
  work: 400_000,
  /** Characters that a detokenized value may show of tokens, as JSON. */
  shownLength: 4_194_304,
  /** Characters of source text that the caches of parsed expressions and of masks hold. */
  cachedCharacters: 500_000,
} as const;
