import { bodyOf, bounded, modules, programs } from '#test/sandbox/hostile/support/program.ts';
import type { HostileProgram } from '#test/sandbox/hostile/support/program.ts';

const library = `const errors = require('@basis-theory/basis-theory-reactor-formulas-sdk-js');`;
const custom = (fields: string): string =>
  `${library} throw new errors.CustomHttpResponseError({ status: 200, headers: {}, body: {}, ...${fields} });`;
const named = (name: string, fields: string): string =>
  `const e = new Error('m'); Object.defineProperty(e, 'name', { value: '${name}' }); throw Object.assign(e, ${fields});`;

/** Strange things thrown, exported, answered and tokenized. */
export const endings: readonly HostileProgram[] = [
  ...programs(['threw'], {
    'a proxy thrown':
      'throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 }, ownKeys() { throw 3 } });',
    'a revoked proxy thrown': 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy;',
    'a revoked function thrown':
      'const { proxy, revoke } = Proxy.revocable(() => 0, {}); revoke(); throw proxy;',
    'nothing thrown': 'throw undefined;',
    'a symbol thrown': `throw Symbol('s');`,
    'a promise thrown': 'throw Promise.reject(Promise.reject(1));',
    'an object without prototype thrown': 'throw Object.create(null);',
    'the realm thrown': 'throw globalThis;',
    'a message of 10 MB': `throw new Error('x'.repeat(1e7));`,
    'errors of 10 MB': `throw Object.assign(new Error('m'), { errors: { a: 'x'.repeat(1e7) } });`,
    'an error in a circle': 'const e = new Error(); e.errors = e; e.body = e; e.cause = e; throw e;',
    'an error thrown in a timer': 'setTimeout(() => { throw new Error(); }, 1); await new Promise(() => 0);',
    'an error thrown in a microtask':
      'queueMicrotask(() => { throw new Error(); }); await new Promise(() => 0);',
    'a result that cannot be read': 'return { get raw() { throw new Error() } };',
    'a circle as result': 'const raw = {}; raw.raw = raw; return { raw };',
    'a large number as result': 'return { raw: 5n };',
    'a revoked proxy as result': 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy;',
    'the export from inside itself': 'return module.exports(req);',
    'a custom response without status': custom(`{ status: undefined }`),
    'a custom status of 99': custom('{ status: 99 }'),
    'a custom status of 101': custom('{ status: 101 }'),
    'a custom status of a text': custom(`{ status: '200' }`),
    'a custom status beyond all': custom('{ status: 1e21 }'),
    'a custom status that is no number': custom('{ status: NaN }'),
    'a custom header with a line break': custom(`{ headers: { 'x-a': 'b\\r\\nSet-Cookie: c=d' } }`),
    'a custom header with a null': custom(`{ headers: { 'x-a': 'b\\u0000' } }`),
    'a custom header of another alphabet': custom(`{ headers: { 'x-a': '\\u010d\\u010a' } }`),
    'a custom header with a bad name': custom(`{ headers: { 'a b': 'c', 'x:': '', '': '' } }`),
    'a custom header named by a line break': custom(`{ headers: { 'a\\r\\nb: c': 'd' } }`),
    'custom headers that are none': custom(`{ headers: 'Set-Cookie: a' }`),
  }),
  ...programs(['too_large'], {
    'a custom body of 10 MB': custom(`{ body: 'x'.repeat(1e7) }`),
  }),
  ...programs([400], {
    'an error of the library with strange errors': `${library} throw new errors.BadRequestError({ a: [null, 1, { b: {} }], '': '', __proto__: { c: 1 } });`,
    'an error of the library with a hundred thousand errors': `${library} const all = {}; for (let i = 0; i < 1e5; i++) all[i] = 'x'; throw new errors.BadRequestError(all);`,
    'an error that only says it is one': named('BadRequestError', `{ errors: 'text', status: 200 }`),
    'things to tokenize that cannot be': `return { tokenize: { a: { type: 'card', data: { number: 'x' } } } };`,
    'tokens of unknown types': `return { tokenize: { type: 'root', data: 1, id: '../../x', containers: ['/../'] } };`,
    'more to tokenize than there may be':
      'return { tokenize: Array.from({ length: 10000 }, (_, i) => "t" + i) };',
  }),
  ...programs(['threw', 400, 422, 500], {
    'a name of the prototype': named('__proto__', '{ status: 200 }'),
    'a name of a member': named('hasOwnProperty', '{ status: 200 }'),
    'a base error that says 200': named('BasisTheoryReactorError', '{ status: 200 }'),
    'a base error that says 600': named('BasisTheoryReactorError', `{ status: 600, errors: [] }`),
  }),
  ...programs(['threw', 'returned'], {
    'a custom header of a megabyte': custom(`{ headers: { 'x-a': 'b'.repeat(1e6) } }`),
    'ten thousand custom headers': custom(
      `{ headers: Object.fromEntries(Array.from({ length: 10000 }, (_, i) => ['x-' + i, 'v'])) }`,
    ),
    'a custom body that cannot be read': custom(`{ body: { get a() { throw 1 } } }`),
    'custom headers that frame': custom(
      `{ headers: { 'Content-Length': '1', 'Transfer-Encoding': 'chunked', Connection: 'upgrade', Upgrade: 'h2c' } }`,
    ),
    'a custom type that is none': custom(
      `{ headers: { 'Content-Type': 'application/json; charset=utf-7' }, body: '<' }`,
    ),
    'rejections that nobody handles': `for (let i = 0; i < 1000; i++) Promise.reject(new Error('x')); await null; return { raw: 1 };`,
    'a rejection with itself': `Promise.reject(new Proxy({}, { get() { throw 1 } })); return { raw: 1 };`,
  }),
  ...modules(['threw'], {
    'a class as export': 'module.exports = class { constructor() { this.raw = 1 } };',
    'an error while loading': 'throw new Proxy({}, {});',
    'a getter that throws as export': `Object.defineProperty(module, 'exports', { get() { throw new Error() } });`,
  }),
  ...modules(['returned'], {
    'a proxy as export': 'module.exports = new Proxy(() => ({ raw: 1 }), {});',
    'a generator as export': 'module.exports = function* () { yield { raw: 1 } };',
    'an asynchronous generator as export': 'module.exports = async function* () { for (;;) yield 1; };',
    'a bound function as export': 'module.exports = ((req) => ({ raw: 1 })).bind({});',
    'native code as export': 'module.exports = Object.keys;',
    'a replaced export':
      'module.exports = () => { module.exports = null; exports = null; return { raw: 1 } };',
    'require as export': 'module.exports = Object;',
  }),
  ...modules(['invalid'], {
    'a number as export': 'module.exports = 5;',
    'a promise as export': 'module.exports = Promise.resolve(() => 0);',
    'a module that removes itself': 'delete module.exports;',
    'no code': '//',
  }),
  {
    name: 'the whole request sent back a thousand times',
    code: bodyOf('return { raw: Array.from({ length: 1000 }, () => req) };'),
    args: 'x'.repeat(500_000),
    ends: [...bounded, 'too_large', 'threw'],
  },
];
