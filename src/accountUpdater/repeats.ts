import type { Row } from '#src/accountUpdater/readRows.ts';

/** What a chunk shares with others, because tokens of its rows stand in theirs, too. */
export type ChunkRepeats = {
  /** Chunks before it, each with a row of a token that stands here again. */
  from: readonly number[];
  /** Rows of here whose tokens stand in chunks after it. */
  rows: readonly number[];
};

const noRow = 0;

/**
 * Finds rows whose token stood in a row before, while a file of any length is read once. It keeps eight bytes a token: a
 * digest stands for it, and two tokens may have the same. Then a chunk waits for another, and finds nothing there.
 */
export class RepeatFinder {
  #digests = new Uint32Array(1 << 12);
  /** By the same place: the last row with this digest. */
  #rows = new Uint32Array(1 << 12);
  #count = 0;
  readonly #repeated: number[] = [];
  readonly #before: number[] = [];

  see({ token, number }: Pick<Row, 'token' | 'number'>): void {
    const digest = digestOf(token);
    const place = this.#placeOf(digest);
    const before = this.#rows[place] ?? noRow;
    if (before === noRow) this.#count++;
    else {
      this.#repeated.push(number);
      this.#before.push(before);
    }
    this.#digests[place] = digest;
    this.#rows[place] = number;
    if (this.#count * 2 > this.#rows.length) this.#grow();
  }

  /** By chunk, where there is something to share. */
  ofChunks(chunkRows: number): Map<number, ChunkRepeats> {
    const from = new Map<number, Set<number>>();
    const rows = new Map<number, Set<number>>();
    const chunkOf = (row: number): number => Math.floor((row - 1) / chunkRows);
    this.#repeated.forEach((row, index) => {
      const before = this.#before[index] ?? row;
      const [chunk, earlier] = [chunkOf(row), chunkOf(before)];
      if (chunk === earlier) return;
      addTo(from, chunk, earlier);
      addTo(rows, earlier, before);
    });
    const chunks = new Set([...from.keys(), ...rows.keys()]);
    return new Map(
      [...chunks].map((chunk) => [
        chunk,
        { from: [...(from.get(chunk) ?? [])], rows: [...(rows.get(chunk) ?? [])] },
      ]),
    );
  }

  #placeOf(digest: number): number {
    const mask = this.#rows.length - 1;
    let place = digest & mask;
    while (this.#rows[place] !== noRow && this.#digests[place] !== digest) place = (place + 1) & mask;
    return place;
  }

  #grow(): void {
    const [digests, rows] = [this.#digests, this.#rows];
    this.#digests = new Uint32Array(rows.length * 2);
    this.#rows = new Uint32Array(rows.length * 2);
    rows.forEach((row, index) => {
      if (row === noRow) return;
      const digest = digests[index] ?? 0;
      const place = this.#placeOf(digest);
      this.#digests[place] = digest;
      this.#rows[place] = row;
    });
  }
}

function addTo(map: Map<number, Set<number>>, key: number, value: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}

/** FNV-1a over the characters, and the mixing of MurmurHash3, so that neighbours do not lie side by side. */
function digestOf(text: string): number {
  let digest = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    digest = Math.imul(digest ^ text.charCodeAt(index), 0x01000193);
  }
  digest = Math.imul(digest ^ (digest >>> 16), 0x85ebca6b);
  digest = Math.imul(digest ^ (digest >>> 13), 0xc2b2ae35);
  return (digest ^ (digest >>> 16)) >>> 0;
}
