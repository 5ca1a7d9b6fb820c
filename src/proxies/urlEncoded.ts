/** A pair of a query string or form: as it was written, and what it means. Of one that cannot be read, only the former. */
export type UrlEncodedPair = { written: string; name: string; value: string };

/** The pairs of a query string or form, in their order. */
export const pairsOf = (text: string): UrlEncodedPair[] =>
  text.split('&').map((written) => {
    const at = written.indexOf('=');
    const [name, value] = at === -1 ? [written, ''] : [written.slice(0, at), written.slice(at + 1)];
    return { written, name: decoded(name), value: decoded(value) };
  });

/** The same pairs with these values; what was not changed, is not written anew. */
export const withValues = (pairs: readonly UrlEncodedPair[], values: readonly string[]): UrlEncodedPair[] =>
  pairs.map((pair, index) => {
    const value = values[index] ?? pair.value;
    return value === pair.value ? pair : { ...pair, written: encodedPair(pair.name, value), value };
  });

const encodedPair = (name: string, value: string): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(value.toWellFormed())}`;

export const written = (pairs: readonly UrlEncodedPair[]): string =>
  pairs.map((pair) => pair.written).join('&');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return '';
  }
}
