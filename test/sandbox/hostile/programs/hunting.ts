import { bodyOf, modules } from '#test/sandbox/hostile/support/program.ts';
import type { HostileProgram } from '#test/sandbox/hostile/support/program.ts';

const finds = (name: string, body: string, raw: unknown): HostileProgram => ({
  name,
  code: bodyOf(body),
  ends: ['returned'],
  raw,
});

/** How a name is asked for, and what all of it must be. */
const absent = (names: readonly string[]): string =>
  `return { raw: [${names.map((name) => JSON.stringify(name)).join()}].filter((name) => { try { return Function('require', 'module', 'req', 'return ' + name)(require, module, req) !== undefined } catch { return false } }) };`;

const files = [
  ...[
    'fs',
    'node:fs',
    'fs/promises',
    'child_process',
    'node:child_process',
    'worker_threads',
    'cluster',
    'vm',
  ],
  ...[
    'net',
    'tls',
    'dgram',
    'dns',
    'http',
    'http2',
    'os',
    'path',
    'v8',
    'inspector',
    'module',
    'process',
    'repl',
  ],
  ...[
    'isolated-vm',
    'pg',
    'koa',
    'undici',
    'pino',
    'holdfast:outside',
    'holdfast:kernel',
    'holdfast:modules/fs',
  ],
  ...[
    '/etc/passwd',
    '/proc/self/environ',
    '/proc/1/environ',
    './reactor.js',
    '/reactor.js',
    '.',
    '..',
    '/',
    '',
  ],
  ...['../package.json', '../../../package.json', '/app/package.json', 'axios/package.json', 'axios/../pg'],
  ...[
    'file:///etc/passwd',
    'data:text/javascript,1',
    'https://localhost/x.js',
    '#src/config.ts',
    '__proto__',
  ],
  ...[
    'constructor',
    'toString',
    'axios/lib/adapters/http',
    'crypto-js/../../package.json',
    'node:',
    'node:axios',
  ],
];

export const hunting: readonly HostileProgram[] = [
  finds(
    'constructors of constructors',
    `const made = [req, req.args, req.configuration, console, console.log, require, module, process, setTimeout, Buffer, URL, require('crypto').createHash, setTimeout(() => 0, 1)]
      .map((value) => value.constructor.constructor('return globalThis')());
     return { raw: made.every((one) => one === globalThis || typeof one !== 'object') };`,
    true,
  ),
  finds(
    'this, caller and arguments',
    `const sloppy = Function('return [this === globalThis, this.process === process, (() => { try { return arguments.callee.caller } catch (e) { return e.name } })()]');
     const outer = (function f() { return f.caller })();
     return { raw: [sloppy(), outer === null || /^async function/.test(outer)] };`,
    [[true, true, null], true],
  ),
  finds(
    'inner parts of process',
    absent(
      [
        ...[
          'binding',
          '_linkedBinding',
          'dlopen',
          'mainModule',
          'kill',
          'abort',
          'setuid',
          'getuid',
          'chdir',
          'umask',
        ],
        ...['report', 'memoryUsage', 'constrainedMemory', 'stdin', 'send', 'channel', 'permission'],
        ...[
          'openStdin',
          '_kill',
          '_rawDebug',
          'getBuiltinModule',
          'moduleLoadList',
          'config',
          'ppid',
          'execPath',
          'execve',
          'loadEnvFile',
        ],
      ].map((name) => `process.${name}`),
    ),
    [],
  ),
  finds(
    'outputs of process',
    `return { raw: ['stdout', 'stderr'].map((name) => [Object.keys(process[name]).join(), process[name].write('x')]) };`,
    [
      ['fd,isTTY,write', true],
      ['fd,isTTY,write', true],
    ],
  ),
  finds(
    'inner parts of modules',
    absent([
      ...[
        'require.main',
        'require.extensions',
        'require.resolve.paths',
        'module.parent',
        'module.require',
        'module.constructor._load',
      ],
      ...[
        'module.constructor._extensions',
        'module.constructor.createRequire',
        'require.cache["/reactor.js"]',
        'module.children[0]',
        'module.paths[0]',
      ],
    ]),
    [],
  ),
  finds(
    'what other hosts of V8 offer',
    absent([
      ...[
        'WebAssembly',
        'SharedArrayBuffer',
        'Atomics',
        'fetch',
        'WebSocket',
        'Worker',
        'BroadcastChannel',
        'MessageChannel',
        'structuredClone',
      ],
      ...[
        'gc',
        'd8',
        'print',
        'read',
        'load',
        'importScripts',
        'Deno',
        'Bun',
        'ivm',
        '_ivm',
        '$0',
        'ShadowRealm',
        'navigator',
        'indexedDB',
      ],
      ...[
        'new Array(1).constructor.constructor("return this.SharedArrayBuffer")()',
        'global.WebAssembly',
        'EventSource',
        'localStorage',
      ],
    ]),
    [],
  ),
  finds(
    'files and modules by name',
    `const found = []; const codes = new Set();
     for (const name of ${JSON.stringify(files)}) try { require(name); found.push(name) } catch (e) { codes.add(e.code) }
     return { raw: [found, [...codes]] };`,
    [[], ['MODULE_NOT_FOUND']],
  ),
  finds(
    'imports',
    `const found = [];
     for (const name of ['fs', 'node:fs', 'axios', './x', 'file:///etc/passwd', 'data:text/javascript,export default 1'])
       try { await import(name); found.push(name) } catch {}
     return { raw: found };`,
    [],
  ),
  finds(
    'sockets of libraries',
    `const { Agent, request } = require('https'); const found = [];
     for (const make of [() => new Agent().createConnection({ host: '127.0.0.1', port: 5432 }), () => request({ socketPath: '/var/run/docker.sock', path: '/' }), () => require('tls'), () => new (require('stream').Duplex)().connect(1), () => require('https').createServer().listen(1)])
       try { const made = make(); made.on?.('error', () => 0); found.push(typeof made.write) } catch {}
     return { raw: found.filter((type) => type === 'never') };`,
    [],
  ),
  finds(
    'a membrane around what it was given',
    `const met = [], R = Reflect; const wrap = (value) => typeof value === 'function' || (typeof value === 'object' && value)
       ? new Proxy(value, { get(t, k, r) { const v = R.get(t, k); met.push(typeof v); return wrap(v) }, apply(t, s, a) { return wrap(R.apply(t, s, a)) } }) : value;
     for (const name of ['console', 'process', 'JSON', 'Reflect', 'Math']) globalThis[name] = wrap(globalThis[name]);
     console.log('x', { a: 1 }); await Promise.resolve(1);
     return { raw: met.length > 0 };`,
    true,
  ),
  finds(
    'its own source and that of the runtime',
    `const sources = [require, console.log, setTimeout, process.exit, queueMicrotask].map((f) => Function.prototype.toString.call(f));
     return { raw: sources.some((text) => /isolated|infra|node:|password|secret/i.test(text)) };`,
    false,
  ),
  ...modules(['invalid', 'threw'], {
    'natives of V8': 'module.exports = () => ({ raw: %DebugPrint(1) });',
    'an end of the function around it': '}); process.exit(0); (function () {',
    'a child process by another name': `const load = require; load('child_process').execSync('id'); module.exports = () => 0;`,
    'a fork by another name': `const load = require; load('cluster').fork(); module.exports = () => 0;`,
    'a thread by another name': `const load = require; new (load('worker_threads').Worker)('1', { eval: true }); module.exports = () => 0;`,
    'the end of the process': 'process.exit(1); module.exports = () => 0;',
    'a signal to the process': `process.kill(process.pid, 'SIGKILL'); module.exports = () => 0;`,
  }),
  // Refused when the code is written.
  ...modules([400], {
    'an import at the top': `import fs from 'fs'; module.exports = () => ({ raw: fs.readFileSync('/etc/passwd', 'utf8') });`,
    'a child process': `require('child_process').execSync('id'); module.exports = () => 0;`,
    'a fork': `require('cluster').fork(); module.exports = () => 0;`,
    'a thread': `new (require('worker_threads').Worker)('1', { eval: true }); module.exports = () => 0;`,
  }),
];
