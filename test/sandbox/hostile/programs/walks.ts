import { bodyOf } from '#test/sandbox/hostile/support/program.ts';
import type { HostileProgram } from '#test/sandbox/hostile/support/program.ts';
import { walker } from '#test/sandbox/hostile/programs/walker.ts';

/** Walks from some roots, tells what is foreign there, and shows all texts, for the caller to look for secrets. */
const walksFrom = (name: string, roots: string): HostileProgram => ({
  name: `a walk from ${name}`,
  code: `${walker}\n${bodyOf(`
    const { foreign, visited, texts } = walk(${roots});
    const shown = texts.join(' ').slice(0, 2e6);
    if (foreign.length > 0 || visited < 100) throw new Error(visited + ': ' + foreign.slice(0, 20).join(' '));
    return { raw: shown };`)}`,
  ends: ['returned'],
});

export const walks: readonly HostileProgram[] = [
  walksFrom('globals', '{ globalThis, require, module, exports, req, args: arguments }'),
  walksFrom(
    'modules',
    `Object.fromEntries(['buffer', 'crypto', 'https', 'querystring', 'stream', 'url', 'util', 'axios', 'node-fetch', 'yup', 'uuid', 'crypto-js', 'jsonpath', 'csv-parse', 'fast-xml-parser', 'snakecase-keys', 'json-stable-stringify'].map((name) => [name, require(name)]))`,
  ),
  walksFrom(
    'errors',
    `{
      module: thrown(() => require('fs')), name: thrown(() => require(5)), digest: thrown(() => require('crypto').createHash('x')),
      key: thrown(() => require('crypto').createPrivateKey('x')), chance: thrown(() => require('crypto').randomBytes(1e10)),
      timer: thrown(() => setTimeout(5)), exit: thrown(() => process.exit(1)), url: thrown(() => new URL('x')),
      buffer: thrown(() => Buffer.alloc(-1)), text: thrown(() => new TextDecoder('x')), code: thrown(() => Function('(')()),
      fetched: await failed(() => require('node-fetch')('https://127.0.0.1/')), axios: await failed(() => require('axios').get('https://127.0.0.1/')),
      imported: await failed(() => import('fs')), yup: await failed(() => require('yup').string().required().validate('')),
      parsed: thrown(() => JSON.parse('x')), deep: thrown(() => { const f = () => f(); f() }), proxy: thrown(() => new Proxy(1, 2)),
    }`,
  ),
  walksFrom(
    'places in the stack',
    `await (async () => {
      const sites = [];
      Error.prepareStackTrace = (error, all) => { sites.push(error, ...all); return all };
      Error.stackTraceLimit = 1000;
      const grab = (error) => { void error.stack; for (const s of sites.slice()) if (s && s.getThis) sites.push(...['getThis', 'getFunction', 'getFileName', 'getTypeName', 'getEvalOrigin', 'getScriptNameOrSourceURL'].map((m) => thrown(() => s[m]()))) };
      grab(new Error()); grab(thrown(() => require('fs'))); grab(thrown(() => require('crypto').createHash('x')));
      await null; grab(new Error()); [3, 1].sort(() => { grab(new Error()); return 0 });
      await new Promise((done) => setTimeout(() => { grab(new Error()); done() }, 1));
      grab(await failed(() => require('node-fetch')('https://127.0.0.1/')));
      JSON.stringify({ toJSON() { grab(new Error()) } });
      return { ...sites, more: globalThis };
    })()`,
  ),
  walksFrom(
    'what libraries hand to code',
    `await (async () => {
      const got = [], { apply } = Reflect; let spies = true;
      const spy = (target, name) => { const old = target[name]; target[name] = function (...args) { if (spies && got.length < 3000) { spies = false; got[got.length] = this; got[got.length] = args; spies = true } return apply(old, this, args) } };
      for (const name of ['call', 'bind']) spy(Function.prototype, name);
      for (const name of ['map', 'flatMap', 'filter', 'push', 'concat']) spy(Array.prototype, name);
      for (const name of ['get', 'set', 'has']) spy(Map.prototype, name);
      for (const name of ['parse', 'stringify']) spy(JSON, name);
      for (const name of ['assign', 'defineProperty', 'fromEntries', 'create']) spy(Object, name);
      spy(Promise.prototype, 'then');
      thrown(() => require('crypto').createHmac('sha256', 'k').update('x').digest('hex'));
      await failed(() => require('axios').post('https://127.0.0.1/', { a: 1 }));
      console.log('%o', { a: [1] });
      spies = false; return { got, more: globalThis };
    })()`,
  ),
];
