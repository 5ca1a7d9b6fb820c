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
  /** All lines, each with a newline, in pieces. */
  pieces(): Generator<Buffer>;
  clear(): void;
};

const slabBytes = 8 * 1_024 * 1_024;
const longestLine = 2 * 1_024 * 1_024;
const pieceBytes = 256 * 1_024;
/** A key's text and its entry in the map. */
const keyBytes = 150;
const newline = 10;

/**
 * Keeps lines as bytes outside of V8's heap, one behind the other: the garbage collector has nothing to copy,
 * and what is there can be sent as it is. A replaced line's place stays unused until the store is compacted.
 */
export function createLineStore(): LineStore {
  /** An address counts bytes from the beginning of the first slab. */
  let addresses = new Map<string, number>();
  let slabs: Buffer[] = [];
  let used = slabBytes;

  const slabAt = (address: number): Buffer => {
    const slab = slabs[Math.floor(address / slabBytes)];
    if (slab === undefined) throw new RangeError('no line lies there');
    return slab;
  };

  /** Where a line ends in its slab, before the newline. */
  const endOf = (address: number): number => slabAt(address).indexOf(newline, address % slabBytes);

  /** Room for so many bytes; returns their address. */
  function reserve(size: number): number {
    if (size > slabBytes) throw new UnwritableValue('a row is too long to be kept in memory');
    if (used + size > slabBytes) {
      slabs.push(Buffer.allocUnsafeSlow(slabBytes));
      used = 0;
    }
    return (slabs.length - 1) * slabBytes + used;
  }

  function append(line: string): number {
    if (line.length > longestLine) throw new UnwritableValue('a row is too long to be kept in memory');
    // A character of a string takes three bytes at most: measuring it would take as long as writing it.
    const address = reserve(line.length * 3 + 1);
    const slab = slabAt(address);
    used += slab.write(line, used);
    slab[used] = newline;
    used += 1;
    return address;
  }

  function compact(): void {
    const before = { addresses, slabs };
    addresses = new Map();
    slabs = [];
    used = slabBytes;
    for (const [key, address] of before.addresses) {
      const slab = before.slabs[Math.floor(address / slabBytes)];
      if (slab === undefined) continue;
      const start = address % slabBytes;
      const end = slab.indexOf(newline, start) + 1;
      addresses.set(key, reserve(end - start));
      used += slab.copy(slabAt((slabs.length - 1) * slabBytes), used, start, end);
    }
  }

  function* pieces(): Generator<Buffer> {
    let piece = Buffer.allocUnsafeSlow(pieceBytes);
    let filled = 0;
    for (const address of addresses.values()) {
      const start = address % slabBytes;
      const end = endOf(address) + 1;
      if (filled + end - start > piece.length) {
        yield piece.subarray(0, filled);
        piece = Buffer.allocUnsafeSlow(Math.max(pieceBytes, end - start));
        filled = 0;
      }
      filled += slabAt(address).copy(piece, filled, start, end);
    }
    if (filled > 0) yield piece.subarray(0, filled);
  }

  return {
    get: (key) => {
      const address = addresses.get(key);
      return address === undefined
        ? undefined
        : slabAt(address).toString('utf8', address % slabBytes, endOf(address));
    },
    set: (key, line) => {
      addresses.set(key, append(line));
    },
    delete: (key) => {
      addresses.delete(key);
    },
    bytes: () => slabs.length * slabBytes + addresses.size * keyBytes,
    compact,
    pieces,
    clear: () => {
      addresses = new Map();
      slabs = [];
      used = slabBytes;
    },
  };
}
