import type { Canary } from '#test/canaries/support/canary.ts';
import { spellingsOf } from '#test/canaries/support/spellings.ts';

export type Sighting = { canary: Canary; spelling: string; at: number };

type Needle = { canary: Canary; spelling: string; bytes: Buffer };

/** Finds many canaries in many bytes, in one walk over them. */
export class Scanner {
  /** Needles by their first three bytes. */
  readonly #needles = new Map<number, Needle[]>();
  /** A bit for each three bytes that a needle begins with: nearly every place in a file is passed over by it. */
  readonly #starts = new Uint8Array(2 ** 21);
  #count = 0;

  constructor(canaries: readonly Canary[]) {
    for (const canary of canaries) {
      for (const { name, bytes } of spellingsOf(canary.value)) this.#add({ canary, spelling: name, bytes });
    }
  }

  /** How many spellings are looked for. */
  get patterns(): number {
    return this.#count;
  }

  /** Every canary in these bytes, wherever it stands. */
  scan(bytes: Uint8Array): Sighting[] {
    const found: Sighting[] = [];
    const haystack = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let window = ((haystack[0] ?? 0) << 8) | (haystack[1] ?? 0);
    for (let end = 2; end < haystack.length; end++) {
      window = ((window << 8) | (haystack[end] as number)) & 0xff_ff_ff;
      if (((this.#starts[window >> 3] as number) & (1 << (window & 7))) === 0) continue;
      const at = end - 2;
      for (const { canary, spelling, bytes: needle } of this.#needles.get(window) ?? []) {
        if (at + needle.length > haystack.length) continue;
        if (haystack.compare(needle, 0, needle.length, at, at + needle.length) === 0) {
          found.push({ canary, spelling, at });
        }
      }
    }
    return found;
  }

  #add(needle: Needle): void {
    const start = needle.bytes.readUIntBE(0, 3);
    this.#starts[start >> 3] = (this.#starts[start >> 3] as number) | (1 << (start & 7));
    const others = this.#needles.get(start);
    if (others === undefined) this.#needles.set(start, [needle]);
    else others.push(needle);
    this.#count += 1;
  }
}
