/**
 * Installs the packages that code of tenants may require and keeps what can be reached of them in one file,
 * modules.pack. Nothing else stays: isolates read single modules of it, and the product can import none.
 *
 * The file: a line of JSON padded to 256 bytes ({@link writePack}), the names by which code knows modules, a table of
 * where each module lies (offset and length, 32 bits each), then the modules. A module is a line of JSON, what its
 * requests mean, and its source; a file of data is its bytes. Beside it, modules.licenses has the packages' licenses.
 */
import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const packPath = join(here, 'modules.pack');
const modulesDirectory = join(here, 'node_modules');
const headLength = 256;
const catalog = JSON.parse(readText('catalog.json'));

function readText(path) {
  return readFileSync(join(here, path), 'utf8');
}

/** Of all that the pack is made from. */
function currentKey() {
  const hash = createHash('sha256');
  for (const name of ['package-lock.json', 'catalog.json', 'build.js']) hash.update(readText(name));
  return hash.digest('hex');
}

function keyOfPack() {
  if (!existsSync(packPath)) return undefined;
  const head = Buffer.alloc(headLength);
  readSync(openSync(packPath), head);
  try {
    return JSON.parse(head.toString('utf8')).key;
  } catch {
    return undefined;
  }
}

function install() {
  const npm = process.env.npm_execpath;
  const parameters = [
    'ci',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--prefer-offline',
  ];
  // Within npm its own program is known; a shell finds it elsewhere, under Windows too.
  const [command, before] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const { status, error } = spawnSync(command, [...before, ...parameters, '--loglevel=error'], {
    cwd: here,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: command === 'npm',
    env: withoutProject(process.env),
  });
  if (status !== 0) throw error ?? new Error('`npm ci` in packages/ failed, as said above');
}

/** What npm tells its scripts of the outer project must not steer the inner one. */
function withoutProject(environment) {
  const outer =
    /^npm_(package_|lifecycle_|command$|config_(local_prefix|prefix|omit|include|global|dry_run)$)/i;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !outer.test(name)));
}

/** Gathers what can be reached from what code may require. */
class Gathering {
  /** By path: a source with its requests, or bytes. In the order of numbers. */
  modules = new Map();
  entries = new Map();
  files = new Map();
  #own = new Set(catalog.replaced);

  addPackage(name, { main, also = [] }) {
    const require = createRequire(join(here, 'build.js'));
    this.entries.set(name, this.#visit(require.resolve(main === undefined ? name : `${name}/${main}`)));
    for (const path of also.flatMap((pattern) => this.#matching(name, pattern))) {
      const number = this.#visit(require.resolve(`${name}/${path}`));
      this.entries.set(`${name}/${path}`, number).set(`${name}/${path}.js`, number);
    }
  }

  addFile(path) {
    this.files.set(path, this.#add(join(modulesDirectory, path), readFileSync(join(modulesDirectory, path))));
  }

  #matching(name, pattern) {
    if (!pattern.endsWith('*')) return [pattern];
    const directory = pattern.slice(0, -1);
    return readdirSync(join(modulesDirectory, name, directory))
      .filter((file) => file.endsWith('.js'))
      .map((file) => directory + file.slice(0, -'.js'.length));
  }

  #add(path, content) {
    const number = this.modules.size;
    this.modules.set(path, { number, content });
    return number;
  }

  #visit(path) {
    const known = this.modules.get(path);
    if (known !== undefined) return known.number;
    const content = { edges: {}, text: readFileSync(path, 'utf8') };
    const number = this.#add(path, content);
    if (path.endsWith('.json')) return number;
    const require = createRequire(path);
    for (const [, request] of content.text.matchAll(/\brequire\(\s*['"`]([^'"`]+)['"`]\s*\)/g)) {
      const target = isBuiltin(request) || this.#own.has(request) ? undefined : resolved(require, request);
      if (target !== undefined) content.edges[request] = this.#visit(target);
    }
    return number;
  }
}

/** Undefined for what is not there: packages ask for some others only to see whether they are. */
function resolved(require, request) {
  let path;
  try {
    path = require.resolve(request);
  } catch {
    return undefined;
  }
  // Some offer a newer Node what isolates cannot load, beside what everybody else is given.
  if (path.endsWith('.mjs')) {
    const manifest = require.resolve(`${request}/package.json`);
    path = join(dirname(manifest), require(manifest).main ?? 'index.js');
  }
  // The directories above have node_modules, too.
  return path.startsWith(modulesDirectory + sep) ? path : undefined;
}

function writePack({ modules, entries, files }, key) {
  const paths = [...modules.keys()].map((path) => relative(modulesDirectory, path).split(sep).join('/'));
  const named = (number) => `${number} ${paths[number]}`;
  const contents = [...modules.values()].map(({ content }) => {
    if (Buffer.isBuffer(content)) return content;
    const edges = Object.entries(content.edges).map(([request, number]) => [request, named(number)]);
    return Buffer.from(`${JSON.stringify(Object.fromEntries(edges))}\n${content.text}`);
  });
  const names = Buffer.from(
    JSON.stringify({
      entries: Object.fromEntries([...entries].map(([request, number]) => [request, named(number)])),
      files: Object.fromEntries(files),
    }),
  );
  const table = Buffer.alloc(contents.length * 8);
  let offset = headLength + names.length + table.length;
  contents.forEach(({ length }, number) => {
    table.writeUInt32LE(offset, number * 8);
    table.writeUInt32LE(length, number * 8 + 4);
    offset += length;
  });
  const head = JSON.stringify({ format: 1, key, names: names.length, modules: contents.length });
  const whole = Buffer.concat([Buffer.from(head.padEnd(headLength - 1) + '\n'), names, table, ...contents]);
  // A process that reads it at this moment goes on with the old one.
  writeFileSync(`${packPath}.new`, whole);
  renameSync(`${packPath}.new`, packPath);
}

/** What the authors of the gathered code ask to be kept with every copy. */
function licensesOf({ modules }) {
  const packages = new Set(
    [...modules.keys()].map((path) => /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(path)[0]),
  );
  return [...packages].sort().map((directory) => {
    const { name, version, license } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    const texts = readdirSync(directory)
      .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
      .map((file) => readFileSync(join(directory, file), 'utf8').trim());
    return [`${name} ${version}: ${JSON.stringify(license ?? 'see below')}`, ...texts].join('\n\n');
  });
}

function build() {
  const key = currentKey();
  if (keyOfPack() === key) return 'is up to date';
  install();
  const gathering = new Gathering();
  for (const [name, details] of Object.entries(catalog.packages)) gathering.addPackage(name, details);
  for (const path of catalog.files) gathering.addFile(path);
  writeFileSync(join(here, 'modules.licenses'), licensesOf(gathering).join(`\n\n${'-'.repeat(80)}\n\n`));
  writePack(gathering, key);
  rmSync(modulesDirectory, { recursive: true, force: true });
  return `holds ${gathering.modules.size} modules`;
}

try {
  process.stdout.write(`packages/modules.pack ${build()}\n`);
} catch (error) {
  process.stderr.write(`packages/modules.pack could not be made: ${error.message}\n`);
  process.exitCode = 1;
}
