/**
 * A word of a provider, fit to be kept and shown: providers quote what they were sent, so texts with long runs of
 * digits, or with what looks like a key, are left out, and the rest is cut.
 */
export function shownText(text: unknown): string | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  const suspicious = /\d(?:[ ._:-]?\d){8,}|[sr]k_(?:live|test)_|whsec_|\bcvc\W+\d/i.test(text);
  return suspicious ? undefined : text.slice(0, 200);
}

/** An id of the provider's own making. Ids may be long digits; card numbers are not among them. */
export function shownId(id: unknown): string | undefined {
  return typeof id === 'string' && /^[\w.-]{1,255}$/.test(id) ? id : undefined;
}
