/** What bounds a reactor. Lengths are in characters (code points). Source: reference of reactors. */
export const reactorLimits = {
  nameLength: 200,
  codeLength: 50_000,
  /** Of the code as JSON in UTF-8: an event is at most 256 kB, and control characters take six bytes each. */
  codeBytes: 240_000,
  configurationEntries: 25,
  /** The reference does not bound names and values. These hold a certificate, and any key. */
  configurationNameLength: 200,
  configurationValueLength: 10_000,
} as const;
