import { reactorLimits } from '#domain/reactor/limits.ts';

/** What bounds a proxy: transforms are code like that of reactors. Source: reference of proxies; spec: Limits. */
export const proxyLimits = {
  nameLength: reactorLimits.nameLength,
  codeLength: reactorLimits.codeLength,
  /** Of both transforms together as JSON in UTF-8: an event is at most 256 kB. */
  codeBytes: reactorLimits.codeBytes,
  configurationEntries: reactorLimits.configurationEntries,
  configurationNameLength: reactorLimits.configurationNameLength,
  configurationValueLength: reactorLimits.configurationValueLength,
  destinationLength: 400,
} as const;
