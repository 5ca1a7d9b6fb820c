import { UnwritableValue } from '#projections/engine/columns.ts';

/** Lines of text by key, without their newlines. */
export type LineStore = {
  get(key: string): string | undefined;
  /** @throws UnwritableValue when the line is longer than 2 MB */
  set(key: string, line: string): void;
  delete(key: string): void;
  /** Memory taken by lines, replaced ones included, and keys. */
  bytes(): number;
  /** Gives back the places of replaced and deleted lines. */
  compact(): void;
  /** All lines, each with a newline, in pieces. They show the store's memory: it must not change meanwhile. */
  pieces(): Generator<Buffer>;
  clear(): void;
};

/** Lines one behind the other, up to `used`. An address counts bytes from the beginning of the first slab. */
type Slab = { bytes: Buffer; used: number };

const slabBytes = 8 * 1_024 * 1_024;
const longestLine = 2 * 1_024 * 1_024;
const pieceBytes = 256 * 1_024;
/** A key's text and its entry in the map. */
const keyBytes = 150;
const newline = 10;

/**
 * Keeps lines as bytes outside of V8's heap: the garbage collector has nothing to copy, and what is there is
 * sent as it is. A replaced line's place stays unused until the store is compacted.
 */
export function createLineStore(): LineStore {
  /** In the order of their addresses. */
  const addresses = new Map<string, number>();
  const slabs: Slab[] = [];

  const slabAt = (address: number): Slab => {
    const slab = slabs[Math.floor(address / slabBytes)];
    if (slab === undefined) throw new RangeError('no line lies there');
    return slab;
  };

  function append(line: string): number {
    if (line.length > longestLine) throw new UnwritableValue('a row is too long to be kept in memory');
    let slab = slabs.at(-1);
    // A character of a string takes three bytes at most: measuring it would take as long as writing it.
    if (slab === undefined || slab.used + line.length * 3 >= slabBytes) {
      slab = { bytes: Buffer.allocUnsafeSlow(slabBytes), used: 0 };
      slabs.push(slab);
    }
    const start = slab.used;
    const end = start + slab.bytes.write(line, start);
    slab.bytes[end] = newline;
    slab.used = end + 1;
    return (slabs.length - 1) * slabBytes + start;
  }

  /**
   * Moves lines towards the beginning, in their order, so that none is overwritten before it has moved. Gives
   * each slab when it is complete.
   */
  function* compacted(): Generator<Slab> {
    let index = 0;
    let used = 0;
    for (const [key, address] of addresses) {
      const { bytes } = slabAt(address);
      const start = address % slabBytes;
      const end = bytes.indexOf(newline, start) + 1;
      let target = slabAt(index * slabBytes);
      if (used + end - start > slabBytes) {
        target.used = used;
        yield target;
        index += 1;
        used = 0;
        target = slabAt(index * slabBytes);
      }
      addresses.set(key, index * slabBytes + used);
      used += bytes.copy(target.bytes, used, start, end);
    }
    slabs.length = Math.min(slabs.length, index + 1);
    const last = slabs.at(-1);
    if (last === undefined) return;
    last.used = used;
    yield last;
  }

  function* pieces(): Generator<Buffer> {
    for (const { bytes, used } of compacted()) {
      let end: number;
      for (let start = 0; start < used; start = end) {
        end = endOfPiece(bytes, start, used);
        yield bytes.subarray(start, end);
      }
    }
  }

  return {
    get: (key) => {
      const address = addresses.get(key);
      if (address === undefined) return undefined;
      const { bytes } = slabAt(address);
      const start = address % slabBytes;
      return bytes.toString('utf8', start, bytes.indexOf(newline, start));
    },
    set: (key, line) => {
      addresses.delete(key);
      addresses.set(key, append(line));
    },
    delete: (key) => {
      addresses.delete(key);
    },
    bytes: () => slabs.length * slabBytes + addresses.size * keyBytes,
    compact: () => {
      compacted().forEach(() => undefined);
    },
    pieces,
    clear: () => {
      addresses.clear();
      slabs.length = 0;
    },
  };
}

/** Behind the last newline that fits; a line that is longer than a piece is one by itself. */
function endOfPiece(bytes: Buffer, start: number, used: number): number {
  if (used - start <= pieceBytes) return used;
  const end = bytes.lastIndexOf(newline, start + pieceBytes - 1) + 1;
  return end > start ? end : bytes.indexOf(newline, start) + 1;
}
