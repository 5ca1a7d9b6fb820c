import { readFileSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

type Manifest = { main?: string; exports?: unknown };

/** Finds files of packages as Node does for `require`, and reads each once. */
export class PackageFiles {
  readonly #root: string;
  readonly #manifests = new Map<string, Manifest | undefined>();

  /** @param root the directory that has node_modules */
  constructor(root: string) {
    this.#root = root;
  }

  read(id: string): string {
    return readFileSync(join(this.#root, id), 'utf8');
  }

  /** @param from the id of a file: its path from the root */
  relative(from: string, request: string): string | undefined {
    return this.#file(join(dirname(from), request));
  }

  /** @param from an id, or '' for the root */
  inPackage(from: string, request: string): string | undefined {
    const [, name = '', subpath = ''] = /^((?:@[^/]+\/)?[^/]+)\/?(.*)$/.exec(request) ?? [];
    for (const directory of directoriesAbove(from)) {
      const home = join(directory, 'node_modules', name);
      const manifest = this.#manifest(home);
      if (manifest !== undefined) return this.#entry(home, manifest, subpath);
    }
    return undefined;
  }

  #entry(home: string, manifest: Manifest, subpath: string): string | undefined {
    const key = subpath === '' ? '.' : `./${subpath}`;
    const exported = manifest.exports === undefined ? undefined : targetOf(manifest.exports, key);
    if (exported !== undefined) return this.#file(join(home, exported));
    // Packages of ours may reach for files of a library that it does not export.
    if (subpath !== '') return this.#file(join(home, subpath));
    return this.#file(join(home, manifest.main ?? 'index.js')) ?? this.#file(join(home, 'index.js'));
  }

  #manifest(home: string): Manifest | undefined {
    if (!this.#manifests.has(home)) {
      const isThere = this.#isFile(join(home, 'package.json'));
      const text = isThere ? this.read(join(home, 'package.json')) : undefined;
      this.#manifests.set(home, text === undefined ? undefined : (JSON.parse(text) as Manifest));
    }
    return this.#manifests.get(home);
  }

  #file(path: string): string | undefined {
    const candidates = [path, `${path}.js`, `${path}.json`, `${path}.cjs`, join(path, 'index.js')];
    return candidates.find((candidate) => this.#isFile(candidate));
  }

  #isFile(path: string): boolean {
    // Nothing else is a package's, and the host may not even ask for it.
    if (!path.startsWith(`node_modules${sep}`)) return false;
    return statSync(join(this.#root, path), { throwIfNoEntry: false })?.isFile() === true;
  }
}

function directoriesAbove(id: string): string[] {
  const parts = id === '' ? [] : id.split('/').slice(0, -1);
  return Array.from({ length: parts.length + 1 }, (_, i) =>
    parts.slice(0, parts.length - i).join('/'),
  ).filter((directory) => !directory.endsWith('node_modules'));
}

/** By the conditions that hold here: CommonJS, neither Node nor a browser. */
function targetOf(exports: unknown, key: string): string | undefined {
  if (typeof exports === 'string') return key === '.' ? exports : undefined;
  if (typeof exports !== 'object' || exports === null) return undefined;
  const table = exports as Record<string, unknown>;
  const isBySubpath = Object.keys(table).some((name) => name.startsWith('.'));
  if (!isBySubpath) return key === '.' ? conditional(table) : undefined;
  return conditional(table[key]);
}

function conditional(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [condition, target] of Object.entries(value)) {
    if (!['node', 'require', 'default'].includes(condition)) continue;
    const found = conditional(target);
    if (found !== undefined) return found;
  }
  return undefined;
}
