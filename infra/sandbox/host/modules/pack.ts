import { closeSync, openSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Made by `npm run packages`, and by every install. */
export const packPath = fileURLToPath(new URL('../../../../packages/modules.pack', import.meta.url));

/** Of what `packages/build.js` writes, which says how it is laid out. */
type Head = { format: number; names: number; modules: number };
type Names = { entries: Record<string, string>; files: Record<string, number> };

const headLength = 256;
const format = 1;
const prefix = 'packages/';

/** Modules of packages in one file, each read when it is asked for. Their ids are paths that begin with `packages/`. */
export type Pack = {
  has(id: string): boolean;
  /** What a request of a tenant's code means: `uuid`, `aws-sdk/clients/s3`. */
  entry(request: string): string | undefined;
  /** What a request means in a module of the pack. */
  edge(from: string, request: string): string | undefined;
  /** @throws Error when there is no such module */
  source(id: string): string;
  /** A file of data that a package has beside its code. */
  file(id: string): Buffer | undefined;
};

/** @returns undefined when there is no such file, or one of another format */
export function openPack(path: string): Pack | undefined {
  let descriptor: number;
  try {
    // It stays open: later this process may open nothing.
    descriptor = openSync(path, 'r');
  } catch {
    return undefined;
  }
  const bytesAt = (offset: number, length: number): Buffer => {
    const bytes = Buffer.alloc(length);
    readSync(descriptor, bytes, 0, length, offset);
    return bytes;
  };
  const head = JSON.parse(bytesAt(0, headLength).toString('utf8')) as Head;
  if (head.format !== format) {
    closeSync(descriptor);
    return undefined;
  }
  const names = JSON.parse(bytesAt(headLength, head.names).toString('utf8')) as Names;
  const table = bytesAt(headLength + head.names, head.modules * 8);
  const entries = new Map(Object.entries(names.entries));
  const files = new Map(Object.entries(names.files));
  /** By id. Of what was asked for, so a host knows no more than its tenant's code requires. */
  const numbers = new Map<string, number>();
  const edges = new Map<string, ReadonlyMap<string, string>>();

  const content = (number: number): Buffer =>
    bytesAt(table.readUInt32LE(number * 8), table.readUInt32LE(number * 8 + 4));
  /** `12 uuid/dist/index.js` */
  const idOf = (named: string): string => {
    const at = named.indexOf(' ');
    const id = prefix + named.slice(at + 1);
    numbers.set(id, Number(named.slice(0, at)));
    return id;
  };

  return {
    has: (id) => numbers.has(id),
    entry: (request) => {
      const named = entries.get(request);
      return named === undefined ? undefined : idOf(named);
    },
    edge: (from, request) => {
      const named = edges.get(from)?.get(request);
      return named === undefined ? undefined : idOf(named);
    },
    source: (id) => {
      const number = numbers.get(id);
      if (number === undefined) throw new Error(`There is no module ${id}`);
      const bytes = content(number);
      const end = bytes.indexOf('\n');
      if (!edges.has(id)) {
        const requests = JSON.parse(bytes.toString('utf8', 0, end)) as Record<string, string>;
        edges.set(id, new Map(Object.entries(requests)));
      }
      return bytes.toString('utf8', end + 1);
    },
    file: (id) => {
      const number = id.startsWith(prefix) ? files.get(id.slice(prefix.length)) : undefined;
      return number === undefined ? undefined : content(number);
    },
  };
}
