import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  builtIns,
  errorPackage,
  internals,
  kernelModules,
  packages,
} from '#infra/sandbox/host/modules/catalog.ts';
import type { ProvidedPackage } from '#infra/sandbox/host/modules/catalog.ts';
import { PackageFiles } from '#infra/sandbox/host/modules/packageFiles.ts';

const runtimeDirectory = fileURLToPath(new URL('../runtime', import.meta.url));
const rootDirectory = fileURLToPath(new URL('../../..', import.meta.url));
const own = 'holdfast:';

/** Everything that code in an isolate may load. */
export type Modules = {
  /** The script of {@link KernelReference}. */
  kernel: string;
  /** As `resolve` of the border. */
  resolve(from: string, request: string): string;
  /** As `source` of the border. @throws Error when there is no such module */
  source(id: string): string;
};

/**
 * Reads the runtime and every file of the packages that can be reached from what code may require. After this, no
 * file is opened any more: a process that runs code of tenants gives up its access to files.
 */
export function readModules(): Modules {
  const reader = new Reader();
  const visible = new Map<string, string>();
  for (const name of builtIns) {
    const id = internals[name] as string;
    visible.set(name, id).set(`node:${name}`, id);
  }
  visible.set(errorPackage, `${own}reactorErrors`);
  for (const provided of packages) reader.addPackage(provided, visible);
  reader.addRuntime();
  return {
    kernel: reader.kernel,
    resolve: (from, request) => (from === '' ? visible : reader.edges.get(from))?.get(request) ?? '',
    source(id) {
      const source = reader.sources.get(id);
      if (source === undefined) throw new Error(`There is no module ${id}`);
      return source;
    },
  };
}

class Reader {
  readonly sources = new Map<string, string>();
  /** By module, what its requests mean. */
  readonly edges = new Map<string, Map<string, string>>();
  kernel = '';
  readonly #files = new PackageFiles(rootDirectory);

  addPackage(provided: ProvidedPackage, visible: Map<string, string>): void {
    const { name, directory = name, main, subpaths = [] } = provided;
    const add = (request: string, subpath: string): void => {
      const id = this.#files.inPackage('', `${directory}/${subpath}`);
      if (id === undefined) throw new Error(`The package ${name} has no module ${subpath}`);
      visible.set(request, id);
      this.#read(id);
    };
    add(name, main ?? '');
    const all = (): string[] =>
      readdirSync(join(rootDirectory, 'node_modules', directory)).filter((file) => file.endsWith('.js'));
    for (const subpath of subpaths === 'all' ? all() : subpaths) {
      add(`${name}/${subpath}`, subpath);
      add(`${name}/${subpath.replace(/\.js$/, '')}`, subpath);
    }
  }

  addRuntime(): void {
    for (const entry of readdirSync(runtimeDirectory, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.cjs')) continue;
      const path = join(entry.parentPath, entry.name);
      const text = readFileSync(path, 'utf8');
      const id =
        own +
        relative(runtimeDirectory, path)
          .split(sep)
          .join('/')
          .replace(/\.cjs$/, '');
      if (id === `${own}kernel`) this.kernel = text;
      else if (!this.sources.has(id)) this.#add(id, text);
    }
  }

  #read(id: string): void {
    if (!this.sources.has(id)) this.#add(id, this.#files.read(id));
  }

  #add(id: string, text: string): void {
    this.sources.set(id, text);
    if (id.endsWith('.json')) return;
    const edges = new Map<string, string>();
    this.edges.set(id, edges);
    for (const [, request = ''] of text.matchAll(/\brequire\(\s*['"]([^'"]+)['"]\s*\)/g)) {
      if (edges.has(request)) continue;
      const target = this.#resolve(id, request);
      if (target === undefined) continue;
      edges.set(request, target);
      // Files of ours are read by `addRuntime`.
      if (!target.startsWith(own)) this.#read(target);
    }
  }

  #resolve(from: string, request: string): string | undefined {
    if (kernelModules.includes(request)) return from.startsWith(own) ? request : undefined;
    if (from.startsWith(own) && request.startsWith('.')) {
      return own + posix.join(dirname(from.slice(own.length)), request).replace(/\.cjs$/, '');
    }
    if (request.startsWith('.')) return this.#files.relative(from, request);
    const name = request.replace(/^node:/, '');
    return internals[name] ?? this.#files.inPackage(from.startsWith(own) ? '' : from, name);
  }
}
