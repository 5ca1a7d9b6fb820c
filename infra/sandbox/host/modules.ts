import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  absent,
  internals,
  internalsOfPackages,
  kernelModules,
} from '#infra/sandbox/host/modules/catalog.ts';
import { openPack, packPath } from '#infra/sandbox/host/modules/pack.ts';
import { PackageFiles } from '#infra/sandbox/host/modules/packageFiles.ts';
import { builtIns, errorPackage, whyNotRequired } from '#src/tenantCode/modules.ts';

const runtimeDirectory = fileURLToPath(new URL('../runtime', import.meta.url));
const rootDirectory = fileURLToPath(new URL('../../..', import.meta.url));
const own = 'holdfast:';
const ofFile = 'file:';

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
 * Reads the runtime, and opens the file of packages that code may require, of which single modules are read when they
 * are asked for. After this, no file is opened any more: a process that runs code of tenants gives up its access to
 * files.
 */
export function readModules(path = packPath): Modules {
  const pack = openPack(path);
  const reader = new Reader();
  reader.addRuntime();
  const visible = new Map<string, string>([[errorPackage, `${own}reactorErrors`]]);
  for (const name of builtIns) {
    const id = internals[name] as string;
    visible.set(name, id).set(`node:${name}`, id);
  }
  const ofTenant = (request: string): string => {
    const id = visible.get(request) ?? pack?.entry(request);
    if (id !== undefined) return id;
    const missing = 'it is not installed here; whoever runs this service has to run `npm run packages`';
    return `!${whyNotRequired(request) ?? `Cannot find module '${request}': ${missing}`}`;
  };
  const ofPackage = (from: string, request: string): string => {
    const id = pack?.edge(from, request);
    if (id !== undefined) return id;
    return internalsOfPackages[request.replace(/^node:/, '')] ?? (isBuiltin(request) ? absent : '');
  };
  return {
    kernel: reader.kernel,
    resolve: (from, request) => {
      if (from === '') return ofTenant(request);
      if (pack?.has(from) === true) return ofPackage(from, request);
      return reader.edges.get(from)?.get(request) ?? '';
    },
    source(id) {
      if (id.startsWith(ofFile)) return pack?.file(id.slice(ofFile.length))?.toString('base64') ?? '';
      const source = reader.sources.get(id) ?? (pack?.has(id) === true ? pack.source(id) : undefined);
      if (source === undefined) throw new Error(`There is no module ${id}`);
      return source;
    },
  };
}

/** Reads the modules of the runtime, and every file of the product's packages that can be reached from them. */
class Reader {
  readonly sources = new Map<string, string>();
  /** By module, what its requests mean. */
  readonly edges = new Map<string, Map<string, string>>();
  kernel = '';
  readonly #files = new PackageFiles(rootDirectory);

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
