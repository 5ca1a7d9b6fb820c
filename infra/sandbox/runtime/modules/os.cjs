'use strict';

/** Of a machine that has nothing to tell. */
module.exports = {
  EOL: '\n',
  arch: () => 'x64',
  cpus: () => [],
  endianness: () => 'LE',
  freemem: () => 0,
  homedir: () => '/',
  hostname: () => 'localhost',
  networkInterfaces: () => ({}),
  platform: () => 'linux',
  release: () => '',
  tmpdir: () => '/tmp',
  totalmem: () => 0,
  type: () => 'Linux',
};
