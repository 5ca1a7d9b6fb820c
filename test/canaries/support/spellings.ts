import { createHash } from 'node:crypto';

export type Spelling = { name: string; bytes: Buffer };

/** How a value may stand somewhere, although nobody meant to keep it: each spelling once. */
export function spellingsOf(value: string): Spelling[] {
  const bytes = Buffer.from(value);
  const texts: [string, string][] = [
    ['clear', value],
    ['reversed', [...value].reverse().join('')],
    ['in other case', value.toUpperCase()],
    ['hex', bytes.toString('hex')],
    ['hex in capitals', bytes.toString('hex').toUpperCase()],
    ['percent-encoded', encodeURIComponent(value)],
    ['percent-encoded whole', [...bytes].map((byte) => `%${byte.toString(16)}`).join('')],
    ['escaped in JSON', JSON.stringify(value).slice(1, -1)],
    ['escaped in JSON twice', JSON.stringify(JSON.stringify(value)).slice(3, -3)],
    ['escaped in JSON whole', [...bytes].map((byte) => `\\u00${byte.toString(16)}`).join('')],
    ['with a space after the colon', value.replace('":"', '": "')],
    ...[0, 1, 2].flatMap((offset): [string, string][] => {
      const encoded = base64At(bytes, offset);
      const forUrls = encoded.replaceAll('+', '-').replaceAll('/', '_');
      return [
        [`base64 at ${offset}`, encoded],
        [`base64url at ${offset}`, forUrls],
      ];
    }),
    ...separated(value),
  ];
  const spellings = [
    ...texts.map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    { name: 'UTF-16', bytes: Buffer.from(value, 'utf16le') },
    ...['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm) => digests(algorithm, bytes)),
  ];
  const seen = new Set<string>();
  return spellings.filter((spelling) => {
    const key = spelling.bytes.toString('latin1');
    return !seen.has(key) && seen.add(key);
  });
}

/** The characters of base64 that depend on the value alone, when so many bytes stand before it. */
function base64At(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replaceAll('=', '');
  const first = Math.ceil((offset * 8) / 6);
  const whole = Math.floor(((offset + bytes.length) * 8) / 6);
  return encoded.slice(first, whole);
}

/** Numbers as people write them. */
function separated(value: string): [string, string][] {
  if (!/^\d{12,}$/.test(value)) return [];
  const groups = value.match(/.{1,4}/g) ?? [];
  return [' ', '-', '.', ', '].map((between) => [`parted by '${between}'`, groups.join(between)]);
}

/** A hash without a key gives a number away to whoever tries all numbers. */
function digests(algorithm: string, bytes: Buffer): Spelling[] {
  const digest = createHash(algorithm).update(bytes).digest();
  return [
    { name: algorithm, bytes: digest },
    { name: `${algorithm} in hex`, bytes: Buffer.from(digest.toString('hex')) },
    { name: `${algorithm} in base64`, bytes: Buffer.from(digest.toString('base64').replaceAll('=', '')) },
  ];
}
