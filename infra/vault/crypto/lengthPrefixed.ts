/** Joins texts so that no two different lists give the same bytes, whatever the texts hold. */
export function lengthPrefixed(...parts: readonly string[]): Buffer {
  let joined = '';
  for (const part of parts) joined += `${Buffer.byteLength(part)}:${part}`;
  return Buffer.from(joined);
}
