import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { outcomeOf, startRuntime, valueOf } from '#test/sandbox/runtime/support/runtime.ts';

const test = suite('runtime: hostile code');

test('given modules that are not for tenants, when they are required, then none is found', async () => {
  const names = [
    'fs',
    'net',
    'child_process',
    'vm',
    'worker_threads',
    'os',
    'path',
    'http',
    'node:fs',
    'zlib',
    'events',
  ];
  const more = [
    'holdfast:outside',
    'holdfast:modules/fs',
    './x',
    '../axios',
    '/etc/passwd',
    'axios/../yup',
    '',
    'qs',
  ];
  const more2 = [
    'constructor',
    '__proto__',
    'follow-redirects',
    'axios/package.json',
    'crypto-js/../yup',
    'isolated-vm',
  ];
  const body = `return req.args.map((name) => { try { require(name); return name } catch (e) { return [e.code, e.message] } })`;
  const all = [...names, ...more, ...more2];
  const told = (await valueOf(body, all)) as [code: string, message: string][];
  assert.equal(
    told.map(([code, message]) => [
      code,
      /^Cannot find module '([^']*)': (code may require|code has no files|of this)/.exec(message)?.[1],
    ]),
    all.map((name) => ['MODULE_NOT_FOUND', name]),
  );
  assert.is(await valueOf('try { require(5) } catch (e) { return e.code }'), 'ERR_INVALID_ARG_TYPE');
});

test('given the globals of Node 16, when code looks for more, then it is not there', async () => {
  const absent = [
    'fetch',
    'WebAssembly',
    'SharedArrayBuffer',
    'Atomics',
    'Deno',
    'window',
    'XMLHttpRequest',
    'ivm',
  ];
  assert.equal(await valueOf('return req.args.filter((name) => name in globalThis)', absent), []);
  const body = `
    console.log('%o', {});
    const found = (() => {}).constructor.constructor('return process')();
    return [found === process, Object.keys(found.env), typeof found.binding, typeof found.mainModule, typeof found.dlopen,
      found.version, typeof globalThis.Atomics, Object.prototype.toString.call(found)]`;
  assert.equal(await valueOf(body), [
    true,
    [],
    'undefined',
    'undefined',
    'undefined',
    'v16.20.2',
    'undefined',
    '[object process]',
  ]);
});

const tampering: Record<string, string> = {
  'JSON replaced': 'JSON.stringify = () => "forged"; JSON.parse = () => "forged"',
  'then replaced': 'Promise.prototype.then = function () { throw 1 }',
  'constructor of promises replaced':
    'Promise.prototype.constructor = { [Symbol.species]: function () { throw 1 } }',
  'species replaced':
    'try { Object.defineProperty(Promise, Symbol.species, { get() { throw 1 } }) } catch {}',
  'call and apply replaced': 'Function.prototype.call = Function.prototype.apply = () => "forged"',
  'bind replaced': 'Function.prototype.bind = () => { throw 1 }',
  'Reflect replaced': 'Reflect.apply = () => "forged"; Reflect.ownKeys = () => { throw 1 }',
  'iteration of arrays replaced': 'Array.prototype[Symbol.iterator] = () => { throw 1 }',
  'methods of arrays replaced':
    'for (const k of Object.getOwnPropertyNames(Array.prototype)) if (k !== "length") try { Array.prototype[k] = () => { throw 1 } } catch {}',
  'methods of strings replaced':
    'for (const k of Object.getOwnPropertyNames(String.prototype)) if (k !== "length") String.prototype[k] = () => { throw 1 }',
  'setters on objects':
    'for (const k of ["raw", "tokenize", "value", "get", "args", "configuration", "0", "status", "name"]) Object.defineProperty(Object.prototype, k, { __proto__: null, set() { throw 1 }, get() { return undefined }, configurable: true })',
  'setters on arrays':
    'Object.defineProperty(Array.prototype, "0", { set() { throw 1 }, configurable: true })',
  'functions of Object replaced': 'Object.defineProperty = Object.create = Object.keys = () => { throw 1 }',
  'globals replaced':
    'globalThis.Promise = globalThis.Error = globalThis.String = globalThis.Function = () => { throw 1 }',
  'stack traces taken':
    'Error.prepareStackTrace = (e, sites) => { for (const s of sites) { const f = s.getFunction(); if (f && !/req/.test(String(f))) throw f } return "" }',
  'conversion replaced':
    'String.prototype[Symbol.toPrimitive] = Number.prototype.toString = () => { throw 1 }',
  'dates replaced': 'Date.now = () => { throw 1 }; Date.prototype.getTime = () => { throw 1 }',
};

for (const [name, statement] of Object.entries(tampering)) {
  test(`given ${name}, when functions return and throw, then the outcome is theirs`, async () => {
    const runtime = startRuntime();
    const code = `${statement}; module.exports = async function (req) {
      console.log('line');
      await { then(done) { setTimeout(done, 1) } };
      if (req.args.fail) { const e = new TypeError('m'); throw e }
      return { raw: req.args.n };
    };`;
    assert.is(await runtime.load(code), 'ready');
    for (const n of [1, 2]) {
      assert.equal(await runtime.invoke({ n }), { kind: 'returned', result: { raw: n } });
    }
    const outcome = await runtime.invoke({ fail: true });
    assert.is(outcome.kind, 'threw');
    assert.is('thrown' in outcome && outcome.thrown.name, 'TypeError');
    assert.equal(runtime.logs, Array(3).fill(['info', 'line']));
    assert.ok(runtime.sent.every(([id, kind, text]) => id > 0 && kind === 'timer' && text === '1'));
    runtime.close();
  });
}

test('given toJSON on all objects, when one throws, then there is an outcome all the same', async () => {
  const code = `Object.prototype.toJSON = () => { throw new Error('toJSON') };
    module.exports = () => { throw Object.assign(new Error('m'), { errors: { a: ['b'] }, status: 400 }) };`;
  assert.equal(await outcomeOf(code), {
    kind: 'threw',
    thrown: { name: 'Error', message: 'm', status: 400 },
  });
});

test('given another configuration written by one invocation, when the next begins, then it has its own', async () => {
  const runtime = startRuntime({ configuration: { a: '1' } });
  await runtime.load(
    'module.exports = (req) => { const raw = req.configuration.a; req.configuration.a = "2"; return { raw } }',
  );
  await runtime.invoke();
  assert.equal(await runtime.invoke(), { kind: 'returned', result: { raw: '1' } });
  runtime.close();
});

test.run();
