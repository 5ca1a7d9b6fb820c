const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(alphabet.length);

/**
 * A uuid as a number of 128 bits in base 62, without padding: the short form that providers get to see.
 * Source: reference of transactions, base62 rule.
 */
export function reconciliationId(uuid: string): string {
  let rest = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let text = '';
  do {
    text = alphabet.charAt(Number(rest % base)) + text;
    rest /= base;
  } while (rest > 0n);
  return text;
}

/** The uuid that a reconciliation id stands for; undefined when it stands for none. */
export function fromReconciliationId(text: string): string | undefined {
  if (!/^[0-9A-Za-z]{1,22}$/.test(text)) return undefined;
  let number = 0n;
  for (const character of text) number = number * base + BigInt(alphabet.indexOf(character));
  const hex = number.toString(16).padStart(32, '0');
  if (hex.length > 32) return undefined;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
