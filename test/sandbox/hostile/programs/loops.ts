import { modules, programs } from '#test/sandbox/hostile/support/program.ts';
import type { HostileProgram } from '#test/sandbox/hostile/support/program.ts';

/** What never ends by itself, wherever the runtime touches what code gave it. */
export const loops: readonly HostileProgram[] = [
  ...programs(['timed_out'], {
    'a loop': 'for (;;);',
    'a loop of awaits': 'for (;;) await null;',
    'a chain of promises': 'const again = () => Promise.resolve().then(again); await again();',
    microtasks: 'const again = () => queueMicrotask(again); again(); await new Promise(() => 0);',
    'next ticks': 'const again = () => process.nextTick(again); again(); await new Promise(() => 0);',
    'a promise that never settles': 'await new Promise(() => 0);',
    'a loop that catches its end': 'for (;;) { try { for (;;); } catch {} finally { continue } }',
    'recursion that doubles in finally': 'function f() { try { f() } finally { f() } } f();',
    'a getter of the result': 'return { get raw() { for (;;); } };',
    'a getter inside the result': 'return { raw: { get a() { for (;;); } } };',
    'toJSON of the result': 'return { raw: { toJSON() { for (;;); } } };',
    'traps of a proxy as raw': 'return { raw: new Proxy({}, { ownKeys() { for (;;); } }) };',
    'traps of a proxy as result': 'return new Proxy({}, { get() { for (;;); } });',
    'then of the result': 'return { then() { for (;;); } };',
    'a getter on all objects': `Object.defineProperty(Object.prototype, 'raw', { get() { for (;;); } }); return {};`,
    'the message of what is thrown': 'throw { get message() { for (;;); } };',
    'the name of what is thrown': 'throw { get name() { for (;;); } };',
    'toJSON in the errors of what is thrown': `throw Object.assign(new Error('x'), { errors: { toJSON() { for (;;); } } });`,
    'conversion of a delay': 'setTimeout(() => 0, { [Symbol.toPrimitive]() { for (;;); } });',
    'conversion of a date': 'return { raw: new Date({ valueOf() { for (;;); } }) };',
    'a getter of what is logged': `console.log('%j', { get a() { for (;;); } });`,
    'a timer': 'setTimeout(() => { for (;;); }, 1); await new Promise(() => 0);',
    'a hundred intervals':
      'for (let i = 0; i < 90; i++) setInterval(() => 0, 0); await new Promise(() => 0);',
    immediates: 'const again = () => setImmediate(again); again(); await new Promise(() => 0);',
    'a generator': 'for (const _ of (function* () { for (;;) yield 1; })());',
    'an asynchronous generator': 'for await (const _ of (async function* () { for (;;) yield 1; })());',
    'a regular expression': `/^(a+)+$/.test('a'.repeat(40) + '!');`,
    'a comparison while sorting': '[1, 2].sort(() => { for (;;); });',
    'a search through a list that has no end':
      'Array.prototype.indexOf.call({ length: Number.MAX_SAFE_INTEGER }, 1);',
    'a reviver': `JSON.parse('[1]', () => { for (;;); });`,
    'code made of text': `Function('for (;;);')();`,
    'the text of a query string': `require('querystring').parse('a=b', null, null, { decodeURIComponent() { for (;;); } });`,
    'the validation of an address': `require('yup').string().matches(/^(a+)+$/).validateSync('a'.repeat(40) + '!');`,
  }),
  ...modules(['timed_out'], {
    'a loop while loading': 'for (;;);',
    'a loop in a class': 'class A { static { for (;;); } }',
    'a getter as export': `Object.defineProperty(module, 'exports', { get() { for (;;); } });`,
    'a getter as default export': 'module.exports = { __esModule: true, get default() { for (;;); } };',
    'a trap of an exported proxy': 'module.exports = new Proxy(() => 0, { apply() { for (;;); } });',
  }),
  ...programs(['timed_out', 'threw'], {
    'a stack trace': `Error.prepareStackTrace = () => { for (;;); }; null.a;`,
  }),
  ...programs(['timed_out', 'returned'], {
    'getters of a rejection that nobody handles': `
      Promise.reject({ get stack() { for (;;); }, get message() { for (;;); }, get name() { for (;;); } });
      await new Promise((done) => setTimeout(done, 20));
      return { raw: 1 };`,
    'a callback of the garbage collection': `
      const registry = new FinalizationRegistry(() => { for (;;); });
      for (let i = 0; i < 1e5; i++) registry.register({}, 1);
      await new Promise((done) => setTimeout(done, 50));
      return { raw: 1 };`,
  }),
];
