import { bounded, programs } from '#test/sandbox/hostile/support/program.ts';
import type { HostileProgram } from '#test/sandbox/hostile/support/program.ts';

/** What takes memory until something ends it. */
export const bombs: readonly HostileProgram[] = [
  ...programs([...bounded, 'threw'], {
    strings: `let s = 'x'; const all = []; for (;;) { s = 'x'.repeat(2 ** 24) + all.length; all.push(s + s); }`,
    'strings that double': `let s = 'x'; for (;;) s += s;`,
    'strings made flat': `const all = []; for (;;) { const s = 'ab'.repeat(2 ** 22) + all.length; s.charCodeAt(9); all.push(s); }`,
    lists: 'const all = []; for (;;) all.push(new Array(1e5).fill(1.5));',
    'a long list': 'new Array(2 ** 32 - 1).fill(0);',
    'a spread list': 'const a = [1]; for (;;) a.push(...a);',
    maps: 'const map = new Map(); for (let i = 0; ; i++) map.set(i, i);',
    sets: 'const set = new Set(); for (let i = 0; ; i++) set.add(i);',
    'weak maps':
      'const map = new WeakMap(), keys = []; for (;;) { const k = {}; keys.push(k); map.set(k, k); }',
    'a number squared': 'let n = 3n; for (;;) n *= n;',
    'a number shifted': 'const all = []; for (;;) all.push(1n << (2n ** 29n));',
    'a number written': `return { raw: (1n << (2n ** 27n)).toString() };`,
    'typed arrays': 'const all = []; for (;;) all.push(new Float64Array(1e6).fill(1));',
    'array buffers': 'const all = []; for (;;) all.push(new ArrayBuffer(2 ** 26));',
    'one array buffer': 'new ArrayBuffer(2 ** 40);',
    'buffers that grow':
      'const all = []; for (;;) { const b = new ArrayBuffer(1, { maxByteLength: 2 ** 28 }); b.resize(2 ** 28); new Uint8Array(b).fill(1); all.push(b); }',
    'buffers of Node': 'const all = []; for (;;) all.push(Buffer.alloc(2 ** 24, 1));',
    closures: 'let f = () => 0; for (;;) { const g = f; f = () => g; }',
    promises: 'const all = []; for (;;) all.push(new Promise(() => 0).then(() => all));',
    'promises that make promises': 'const f = async () => { await Promise.all([f(), f()]); }; await f();',
    recursion: 'const f = () => f() + 1; return { raw: f() };',
    'recursion through proxies':
      'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return { raw: p.a };',
    'keys of an object': `const o = {}; for (let i = 0; ; i++) o['k' + i] = i;`,
    'a query over a circle': `const a = {}; a.a = a; require('jsonpath').query(a, '$..a');`,
    symbols: 'const o = {}; for (;;) o[Symbol()] = 1;',
    'regular expressions': `const all = []; for (let i = 0; ; i++) all.push(new RegExp('(?:a{' + i + '}){999}b', 'u').exec('aaab'), i);`,
    'code made of text': `let s = '1'; for (;;) { s += '+' + s; Function('return ' + s)(); }`,
    'a parsed text': `const s = '[' + '[],'.repeat(1e6) + '0]'; const all = []; for (;;) all.push(JSON.parse(s));`,
    'what is left behind in globals': 'globalThis.kept = []; for (;;) kept.push({ kept });',
  }),
  ...programs([...bounded, 'threw', 'too_large'], {
    'a text of 500 MB as result': `return { raw: 'x'.repeat(5e8) };`,
    'a text of 500 MB to tokenize': `return { tokenize: 'x'.repeat(5e8) };`,
    'many texts of 100 MB as result': `const s = 'x'.repeat(1e8); return { raw: [s, s, s, s, s] };`,
    'a result that unfolds': 'let raw = 1; for (let i = 0; i < 60; i++) raw = [raw, raw]; return { raw };',
    'a sparse list as result': 'const raw = []; raw[4294967294] = 1; return { raw };',
    'a large buffer as result': 'return { raw: Buffer.alloc(3e7) };',
    'a message of 400 MB': `throw new Error('x'.repeat(4e8));`,
    'a million keys as result': `const raw = {}; for (let i = 0; i < 1e6; i++) raw['k' + i] = 0; return { raw };`,
    'a text that JSON makes longer': `return { raw: '\\u0000'.repeat(1e8) };`,
  }),
  ...programs(['too_large', 'timed_out'], {
    'a result of a hundred thousand levels':
      'let raw = 1; for (let i = 0; i < 100000; i++) raw = [raw]; return { raw };',
    'objects of a hundred thousand levels':
      'let raw = {}; for (let i = 0; i < 100000; i++) raw = { raw }; return { raw };',
  }),
  ...programs(['returned'], {
    'a typed array whose buffer was resized': `
      const buffer = new ArrayBuffer(8, { maxByteLength: 2 ** 16 });
      const raw = new Uint8Array(buffer);
      buffer.resize(2 ** 16);
      buffer.resize(4);
      return { raw };`,
    'a view whose buffer was taken away': `
      const raw = new Uint8Array(8);
      raw.buffer.transfer(0);
      return { raw };`,
  }),
];
