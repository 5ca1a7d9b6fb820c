import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** What builtin modules of Node are in a browser. */
const builtins: Readonly<Record<string, string>> = { os: 'os-browserify' };

/**
 * A script for browsers with a CommonJS package and all that it requires, under a global name; as bundlers make them,
 * with what the `browser` member of a package.json puts in the place of other files.
 */
export function bundle(packageName: string, globalName: string): string {
  const entry = createRequire(import.meta.url).resolve(packageName);
  const modules = new Map<string, string>();
  const add = (file: string): void => {
    if (modules.has(file)) return;
    modules.set(file, '');
    const source = file.endsWith('.json') ? `module.exports = ${read(file)}` : read(file);
    const requests = [...source.matchAll(/\brequire\(\s*["']([^"']+)["']\s*\)/g)].map(
      ([, name = '']) => name,
    );
    const names = Object.fromEntries(requests.map((name) => [name, fileOf(name, file)]));
    modules.set(
      file,
      `[${JSON.stringify(names)}, function (module, exports, require, global) {\n${source}\n}]`,
    );
    for (const needed of Object.values(names)) add(needed);
  };
  add(entry);
  const table = [...modules].map(([file, text]) => `${JSON.stringify(file)}: ${text}`).join(',\n');
  return `(() => {
    const modules = {${table}};
    const loaded = {};
    const load = (file) => {
      if (loaded[file]) return loaded[file].exports;
      const module = (loaded[file] = { exports: {} });
      const [names, run] = modules[file];
      run(module, module.exports, (name) => load(names[name]), globalThis);
      return module.exports;
    };
    globalThis[${JSON.stringify(globalName)}] = load(${JSON.stringify(entry)});
  })();`;
}

const read = (file: string): string => readFileSync(file, 'utf8');

function fileOf(name: string, from: string): string {
  const file = createRequire(from).resolve(builtins[name] ?? name);
  const root = rootOf(file);
  const { browser } = JSON.parse(read(join(root, 'package.json'))) as { browser?: unknown };
  if (typeof browser !== 'object' || browser === null) return file;
  const replacement: unknown = Reflect.get(browser, `./${relative(root, file)}`);
  return typeof replacement === 'string' ? join(root, replacement) : file;
}

function rootOf(file: string): string {
  const directory = dirname(file);
  return existsSync(join(directory, 'package.json')) ? directory : rootOf(directory);
}
