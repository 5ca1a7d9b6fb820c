import type { HostileProgram } from '#test/sandbox/hostile/support/program.ts';

/** Before the function is exported, and while it runs. */
const both = (name: string, statement: string): HostileProgram[] =>
  (['loading', 'running'] as const).map((when) => ({
    name: `${name}, while ${when}`,
    code: `${when === 'loading' ? statement : ''};
      module.exports = async (req) => { ${when === 'running' ? statement : ''}; await null; return { raw: 'own' } };`,
    ends: ['returned'],
    raw: 'own',
  }));

const every = (target: string, does: string): string =>
  `for (const key of Object.getOwnPropertyNames(${target})) if (key !== 'length' && key !== 'constructor') try { ${target}[key] = ${does} } catch {}`;

/** The language bent around everything that crosses the border. */
export const tampering: readonly HostileProgram[] = [
  ...both(
    'JSON forged',
    `JSON.stringify = () => '{"raw":"forged","status":200}'; JSON.parse = () => 'forged'`,
  ),
  ...both(
    'promises forged',
    `Promise.prototype.then = Promise.prototype.catch = () => { throw 1 }; globalThis.Promise = class {}`,
  ),
  ...both(
    'toJSON on all objects',
    `Object.defineProperty(Object.prototype, 'toJSON', { value: undefined, writable: true })`,
  ),
  ...both(
    'iteration broken',
    `Array.prototype[Symbol.iterator] = String.prototype[Symbol.iterator] = () => { throw 1 }`,
  ),
  ...both(
    'functions broken',
    `Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw 1 }`,
  ),
  ...both('arrays broken', every('Array.prototype', '() => { throw 1 }')),
  ...both('strings broken', every('String.prototype', '() => { throw 1 }')),
  ...both('objects broken', every('Object', '() => { throw 1 }')),
  ...both('Reflect broken', every('Reflect', '() => { throw 1 }')),
  ...both(
    'setters of results',
    `for (const key of ['raw', 'tokenize', 'value', 'get', 'then', '0']) try { Object.defineProperty(Object.prototype, key, { set() { throw 1 }, get() { return undefined }, configurable: true }) } catch {}`,
  ),
  ...both(
    'errors broken',
    `globalThis.Error = globalThis.RangeError = globalThis.TypeError = class { constructor() { throw 1 } }; Error.prepareStackTrace = () => { throw 1 }`,
  ),
  ...both(
    'globals gone',
    `for (const key of Reflect.ownKeys(globalThis)) try { delete globalThis[key] } catch {}`,
  ),
  ...both(
    'globals frozen',
    `for (const key of Reflect.ownKeys(globalThis)) try { Object.freeze(globalThis[key]) } catch {}; try { Object.freeze(globalThis) } catch {}`,
  ),
  ...both(
    'prototypes frozen',
    `for (const one of [Object, Array, Promise, Function, String, Error]) Object.freeze(one.prototype)`,
  ),
  ...both(
    'prototypes swapped',
    `for (const one of [Array, Promise, Function, String, Error]) try { Object.setPrototypeOf(one.prototype, null) } catch {}`,
  ),
  ...both('symbols replaced', `globalThis.Symbol = undefined; Symbol?.for; `.replace(' Symbol?.for;', '')),
  ...both(
    'dates and numbers broken',
    `Date.now = Date.prototype.getTime = Math.floor = Math.min = Math.max = () => { throw 1 }; globalThis.Number = undefined`,
  ),
  ...both(
    'console gone',
    `globalThis.console = undefined; globalThis.process = undefined; globalThis.Buffer = undefined`,
  ),
  {
    name: 'a prototype in args',
    code: `module.exports = (req) => ({ raw: [({}).polluted === undefined, Object.keys(req.args)] });`,
    args: JSON.parse(
      '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}',
    ) as unknown,
    ends: ['returned', 400],
  },
  {
    name: 'a prototype in the result',
    code: `module.exports = () => ({ raw: JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') });`,
    ends: ['returned'],
    raw: JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as unknown,
  },
  {
    name: 'toJSON that forges',
    code: `Object.prototype.toJSON = () => ({ raw: 'forged' }); module.exports = () => ({ raw: 'own' });`,
    ends: ['returned', 'threw'],
  },
];
