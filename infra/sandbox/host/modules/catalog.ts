/** Modules of Node that tenants' code may require, also with `node:` before them. */
export const builtIns = ['buffer', 'crypto', 'https', 'querystring', 'stream', 'url', 'util'] as const;

/** The library of errors is ours; the name is the one by which code knows it. */
export const errorPackage = '@basis-theory/basis-theory-reactor-formulas-sdk-js';

export type ProvidedPackage = {
  name: string;
  /** Its directory in node_modules, where that is another. */
  directory?: string;
  /** What may be required of it besides its name. */
  subpaths?: readonly string[] | 'all';
  /** Its main module, where the one it declares cannot be loaded here. */
  main?: string;
};

/** Packages that tenants' code may require. */
export const packages: readonly ProvidedPackage[] = [
  { name: 'axios' },
  { name: 'crypto-js', subpaths: 'all' },
  { name: 'csv-parse', directory: 'csv-parse-5', subpaths: ['sync'] },
  { name: 'fast-xml-parser' },
  { name: 'json-stable-stringify' },
  // Its own main compiles a parser from a file; the other one is made of the same code, for browsers.
  { name: 'jsonpath', main: 'jsonpath.js' },
  { name: 'node-fetch' },
  { name: 'snakecase-keys' },
  { name: 'uuid' },
  { name: 'yup' },
];

/** What the packages mean by these names. With a slash at the end, the package of the name is meant. */
export const internals: Readonly<Record<string, string>> = {
  'abort-controller': 'holdfast:modules/abort',
  assert: 'holdfast:modules/assert',
  buffer: 'holdfast:modules/buffer',
  crypto: 'holdfast:modules/crypto',
  fs: 'holdfast:modules/fs',
  http: 'holdfast:modules/http',
  https: 'holdfast:modules/https',
  'mime-types': 'holdfast:modules/mime-types',
  path: 'holdfast:modules/path',
  process: 'holdfast:modules/process',
  'process/': 'holdfast:modules/process',
  qs: 'holdfast:modules/qs',
  querystring: 'holdfast:modules/querystring',
  stream: 'holdfast:modules/stream',
  timers: 'holdfast:modules/timers',
  tr46: 'holdfast:modules/tr46',
  url: 'holdfast:modules/url',
  util: 'holdfast:modules/util',
  // One version for all: of node-fetch's, only the class that `url` has is used.
  'whatwg-url': 'holdfast:modules/url',
  zlib: 'holdfast:modules/zlib',
};

/** Given by the kernel; they have no source. */
export const kernelModules: readonly string[] = ['holdfast:outside', 'holdfast:process', 'holdfast:timers'];
