import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { whyNotRequired } from '#src/tenantCode/modules.ts';
import { missingPackages } from '#src/tenantCode/required.ts';

const test = suite('what code requires');

const namesIn = (code: string): string[] =>
  missingPackages(code).map((fault) => /'([^']*)'/.exec(fault)?.[1] ?? fault);

test('given packages that nobody has here, when code requires them by their names, then each is told once', () => {
  const code = `
    const _ = require('lodash'), again = require("lodash");
    const { x } = require(\`moment/locale\`);
    module.exports = async () => require ( '@acme/left-pad' );`;
  assert.equal(namesIn(code).sort(), ['@acme/left-pad', 'lodash', 'moment/locale']);
});

test('given a package that is not there, when the reason is read, then it lists what there is', () => {
  const [fault = ''] = missingPackages(`require('lodash')`);
  assert.match(fault, /^Cannot find module 'lodash': code may require of Node buffer, crypto, https, /);
  assert.match(fault, /and the packages @adyen\/api-library, .*, stripe, .*, yup$/);
  assert.match(fault, '@basis-theory/basis-theory-reactor-formulas-sdk-js');
});

test('given packages that cannot run here, when code requires them, then the reason is theirs', () => {
  assert.equal(missingPackages(`require('ssh2')`), [
    "Cannot find module 'ssh2': it needs connections of its own (TCP), and code reaches others only by HTTPS",
  ]);
  assert.match(whyNotRequired('tesseract.js') ?? '', /WebAssembly, threads/);
});

test('given packages that are there, and their parts, when code requires them, then nothing is said', () => {
  const code = [
    'stripe',
    'aws-sdk/clients/s3',
    'crypto-js/sha256',
    'crypto-js/sha256.js',
    'csv-parse/sync',
    'node:crypto',
  ]
    .map((name) => `require('${name}');`)
    .join('\n');
  assert.equal(missingPackages(code), []);
  assert.equal(missingPackages(`require('stripe/lib/Webhooks')`), [
    "Cannot find module 'stripe/lib/Webhooks': of this package code may require stripe",
  ]);
});

test('given what only looks like a need, when code is read, then nothing is said', () => {
  const harmless = [
    `// require('lodash')\n/* require('lodash') */`,
    `const text = "require('lodash')"; const pattern = /require('lodash')/;`,
    'const template = `require("lodash")`;',
    `const name = 'lodash'; require(name); require('lod' + 'ash');`,
    `let encoding; try { encoding = require('encoding'); } catch (error) { encoding = null; }`,
    `({ 1: [function (require, module, exports) { require('lodash'); }, {}] })`,
    `function require(name) { return {}; } require('lodash');`,
    `loader.require('lodash')`,
    // Bundles name modules of Node that they may never need; files are theirs, too.
    `module.exports = () => { const net = require('net'); require('./other'); }`,
    // What does not compile is told by whoever compiles it.
    `require('lodash'); const = 1;`,
  ];
  for (const code of harmless) assert.equal(namesIn(code), [], code);
});

test('given modules of Node that are not there, when code requires them as it loads, then each is told', () => {
  for (const [code, name] of [
    [`const fs = require('fs'); module.exports = () => fs;`, 'fs'],
    [`const { connect } = require("node:net");`, 'node:net'],
    ['module.exports.run = require(`child_process`).execSync;', 'child_process'],
    [`const a = 1, path = require('path').join('a', 'b');`, 'path'],
    [`'use strict'; { const { setTimeout: wait } = require('timers/promises'); }`, 'timers/promises'],
    [`var zlib = (0, require('zlib'));`, 'zlib'],
    [`if (require('os').platform() === 'linux') run();`, 'os'],
    [`try { run(); } catch { run(); } finally { require('vm'); }`, 'vm'],
  ] as const) {
    assert.equal(namesIn(code), [name], code);
    assert.match(missingPackages(code)[0] ?? '', 'code may require of Node buffer, crypto, https, ', code);
  }
});

test('given modules of Node that may never be asked for, when code is read, then nothing is said', () => {
  for (const code of [
    ...['buffer', 'crypto', 'https', 'querystring', 'stream', 'url', 'util'].flatMap((name) => [
      `const a = require('${name}');`,
      `const a = require('node:${name}');`,
    ]),
    `if (typeof window === 'undefined') { var fs = require('fs'); }`,
    `const fs = typeof window === 'undefined' ? {} : require('fs');`,
    `const fs = globalThis.browser || require('fs'); let net; net ??= require('net');`,
    `module.exports = async () => require('fs');`,
    `function read() { return require('fs'); }`,
    `class File { static fs = () => require('fs'); open() { require('fs'); } }`,
    `for (const name of []) require('fs'); while (false) require('net'); switch (1) { case 2: require('vm'); }`,
    `let fs; try { fs = require('fs'); } catch { fs = null; }`,
    `const name = 'fs'; require(name); require('f' + 's'); loader.require('fs');`,
    `if (globalThis.browser === undefined) return; require('fs');`,
    `const { fs = require('fs') } = globalThis;`,
    `globalThis.load?.(require('fs'));`,
    `(function (require) { require('fs'); })(() => 1);`,
    `import('fs').catch(() => 1);`,
    `// require('fs')`,
  ]) {
    assert.equal(namesIn(code), [], code);
  }
});

test('given needs in odd places, when code is read, then they are found', () => {
  const needs = [
    `try { run(); } catch { require('lodash'); }`,
    `try { require('lodash'); } finally { run(); }`,
    `return require('lodash');`,
    `class A { static b = require('lodash'); }`,
    `exports.a = ({ b = require('lodash') }) => b;`,
  ];
  for (const code of needs) assert.equal(namesIn(code), ['lodash'], code);
});

test('given a package that is called for in other ways, when code is read, then it is found', () => {
  for (const code of [
    `require?.('lodash')`,
    `const a = import('lodash');`,
    `(async () => import("lodash"))()`,
  ]) {
    assert.equal(namesIn(code), ['lodash'], code);
  }
  for (const harmless of [
    `const name = 'lodash'; import(name);`,
    `try { require?.('lodash'); } catch { run(); }`,
    `const text = \`\nimport x from 'lodash'\n\`;`,
    `/*\nimport x from 'lodash'\n*/`,
    `exports.a = 1;\nmodule.exports = () => 1;`,
    `import x from`,
  ]) {
    assert.equal(missingPackages(harmless), [], harmless);
  }
});

test('given an ECMAScript module, when code is read, then it is told what to write', () => {
  const [imported = '', ...others] = missingPackages(`import x from 'stripe';\nmodule.exports = () => x;`);
  assert.equal(others, []);
  assert.match(imported, `write require('stripe')`);
  assert.not.match(imported, 'Cannot find');
  assert.match(
    missingPackages(`const a = 1; import { b } from "ssh2";`)[0] ?? '',
    /Cannot find module 'ssh2'/,
  );
  assert.match(missingPackages(`export default async (req) => ({ raw: 1 });`)[0] ?? '', 'module.exports');
  const lines = '\n'.repeat(40_000) + ' '.repeat(40_000);
  assert.equal(missingPackages(lines), []);
});

test('given code that is made to be hard to read, when it is read, then soon and without an end of the process', () => {
  for (const code of [
    '('.repeat(400_000),
    'require("'.repeat(60_000),
    `${'['.repeat(50_000)}require('x')${']'.repeat(50_000)}`,
  ]) {
    assert.equal(missingPackages(`require('lodash');${code}`), []);
  }
});

test.run();
