/** What modules mean by these names. With a slash at the end, the package of the name is meant. */
export const internals: Readonly<Record<string, string>> = {
  'abort-controller': 'holdfast:modules/abort',
  assert: 'holdfast:modules/assert',
  buffer: 'holdfast:modules/buffer',
  crypto: 'holdfast:modules/crypto',
  events: 'holdfast:modules/events',
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
  string_decoder: 'holdfast:modules/string_decoder',
  timers: 'holdfast:modules/timers',
  tr46: 'holdfast:modules/tr46',
  url: 'holdfast:modules/url',
  util: 'holdfast:modules/util',
  // One version for all: of node-fetch's, only the class that `url` has is used.
  'whatwg-url': 'holdfast:modules/url',
  zlib: 'holdfast:modules/zlib',
};

/** What packages of tenants mean besides, of which most can do nothing here. */
export const internalsOfPackages: Readonly<Record<string, string>> = {
  ...internals,
  net: 'holdfast:modules/net',
  os: 'holdfast:modules/os',
  tty: 'holdfast:modules/tty',
};

/** Every other module of Node, for packages that name it for what they do elsewhere: processes, threads. */
export const absent = 'holdfast:modules/absent';

/** Given by the kernel; they have no source. */
export const kernelModules: readonly string[] = ['holdfast:outside', 'holdfast:process', 'holdfast:timers'];
