import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startRuntime, valueOf } from '#test/sandbox/runtime/support/runtime.ts';

const test = suite('runtime: built-in modules and globals');

test('given buffers, when they are used, then encodings are those of Node 16', async () => {
  const body = `
    const { Buffer: B } = require('node:buffer');
    return [B === Buffer, Buffer.from('hällo').toString('base64'), Buffer.from('-_8', 'base64url').toString('hex'),
      Buffer.from('fbff', 'hex').toString('base64url'), Buffer.from('abc').equals(B.concat([B.from('a'), B.from([98, 99])])),
      Buffer.alloc(2, 'x').toString('latin1'), Buffer.byteLength('ß'), JSON.stringify(Buffer.from('a')), Buffer.isBuffer(new Uint8Array(1)),
      Buffer.from([1, 2, 3, 4]).readUInt32BE(0), atob('aGk='), btoa('hi'), Buffer.isEncoding('base64url')]`;
  assert.equal(await valueOf(body), [
    true,
    'aMOkbGxv',
    'fbff',
    '-_8',
    true,
    'xx',
    2,
    '{"type":"Buffer","data":[97]}',
    false,
    16_909_060,
    'hi',
    'aGk=',
    true,
  ]);
});

test('given querystring, when it is used, then it is Node’s', async () => {
  const body = `
    const q = require('querystring');
    return [q.stringify({ a: ['1', '2'], b: 'x y&', c: true }), q.parse('a=1&a=2&b=x+y%26&c&d=%zz'), q.escape('a b'), q.unescape('%41')]`;
  assert.equal(await valueOf(body), [
    'a=1&a=2&b=x%20y%26&c=true',
    { a: ['1', '2'], b: 'x y&', c: '', d: '%zz' },
    'a%20b',
    'A',
  ]);
});

test('given url, when addresses are parsed, then both ways are there', async () => {
  const body = `
    const url = require('url');
    const u = new URL('../b?x=1#h', 'https://user:p@EXAMPLE.com:443/a/c');
    u.searchParams.append('y', 'ä b');
    let code; try { new url.URL('nonsense') } catch (e) { code = [e.name, e.code] }
    const parsed = url.parse('https://a.example:8080/p?q[a]=1&b=2', true);
    return [u.href, url.URL === URL, [...new URLSearchParams({ a: '1' })], code, parsed.host, parsed.query,
      url.format({ protocol: 'https', host: 'h', pathname: '/p', query: { a: 1 } }), url.resolve('https://a/b/c', '../d'),
      new URL('https://münchen.example').host, new URL('http://0x7f.1/').host, require('util').inspect(new URL('https://a.b/')).slice(0, 5)]`;
  assert.equal(await valueOf(body), [
    'https://user:p@example.com/b?x=1&y=%C3%A4+b#h',
    true,
    [['a', '1']],
    ['TypeError', 'ERR_INVALID_URL'],
    'a.example:8080',
    { 'q[a]': '1', b: '2' },
    'https://h/p?a=1',
    'https://a/d',
    'xn--mnchen-3ya.example',
    '127.0.0.1',
    'URL {',
  ]);
});

test('given functions that Node promisifies its own way, when that is done, then as there', async () => {
  const value = await valueOf(`
    const { promisify } = require('util');
    const pair = await promisify(require('crypto').generateKeyPair)('ec', { namedCurve: 'P-256' });
    return [await promisify(setTimeout)(1, 'late'), await promisify(setImmediate)('soon'), pair.publicKey.type, pair.privateKey.type];
  `);
  assert.equal(value, ['late', 'soon', 'public', 'private']);
});

test('given util, when it is used, then promisify, inspect, types and the rest do', async () => {
  const body = `
    const util = require('util');
    class Shop { constructor() { this.a = new Set([1]) } }
    const inherited = function () {}; util.inherits(inherited, Shop);
    return [await util.promisify((a, done) => setTimeout(done, 1, null, a + 1))(1),
      util.inspect({ s: new Shop(), d: { e: { f: { g: 1 } } } }), util.format('%s %j %i', 'a', { b: 1 }, 3.5, 'x'),
      util.types.isPromise(Promise.resolve()), util.isDeepStrictEqual({ a: [1] }, { a: [1] }), util.isDeepStrictEqual({ a: 1 }, { a: 2 }),
      new inherited() instanceof Shop, await new Promise((done) => util.callbackify(async () => 5)((e, v) => done(v))),
      new util.TextDecoder().decode(new util.TextEncoder().encode('ä')), util.deprecate(() => 6, 'old')(), util.types.isRegExp(/a/)]`;
  assert.equal(await valueOf(body), [
    2,
    '{ s: Shop { a: Set(1) { 1 } }, d: { e: { f: [Object] } } }',
    'a {"b":1} 3 x',
    true,
    true,
    false,
    true,
    5,
    'ä',
    6,
    true,
  ]);
});

test('given streams, when they are joined, then data flows and errors arrive', async () => {
  const body = `
    const { Readable, Transform, PassThrough, Writable, pipeline, finished } = require('stream');
    const upper = () => new Transform({ transform(chunk, _, done) { done(null, chunk.toString().toUpperCase()) } });
    const chunks = [];
    await new Promise((done, fail) => pipeline(Readable.from(['a', 'b']), upper(), new Writable({ write(c, _, next) { chunks.push(c.toString()); next() } }), (e) => e ? fail(e) : done()));
    let text = ''; for await (const chunk of Readable.from(['x', 'y']).pipe(new PassThrough())) text += chunk;
    const broken = await new Promise((done) => pipeline(Readable.from(['a']), new Transform({ transform(c, _, next) { next(new Error('broken')) } }), new PassThrough(), (e) => done(e.message)));
    return [chunks, text, broken, typeof finished]`;
  assert.equal(await valueOf(body), [['A', 'B'], 'xy', 'broken', 'function']);
});

test('given the globals, when they are used, then they are there', async () => {
  const body = `
    const controller = new AbortController(); const heard = [];
    controller.signal.addEventListener('abort', (e) => heard.push(e.type)); controller.signal.onabort = () => heard.push('on');
    controller.abort(); controller.abort();
    const target = new EventTarget(); target.addEventListener('x', (e) => heard.push(e instanceof Event)); target.dispatchEvent(new Event('x'));
    const decoder = new TextDecoder(); const bytes = new TextEncoder().encode('€');
    let fatal; try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])) } catch (e) { fatal = e.code }
    return [heard, controller.signal.aborted, controller.signal.reason.name, AbortSignal.abort().aborted,
      decoder.decode(bytes.slice(0, 1), { stream: true }) + decoder.decode(bytes.slice(1)), fatal, bytes.constructor === Uint8Array,
      global === globalThis, typeof performance.now(), process.version, process.hrtime().length, typeof process.hrtime.bigint(), __filename, typeof __dirname]`;
  assert.equal(await valueOf(body), [
    ['abort', 'on', true],
    true,
    'AbortError',
    true,
    '€',
    'ERR_ENCODING_INVALID_ENCODED_DATA',
    true,
    true,
    'number',
    'v16.20.2',
    2,
    'bigint',
    '/reactor.js',
    'string',
  ]);
});

test('given the client of the service, when a reactor has no application, then there is none', async () => {
  const runtime = startRuntime();
  await runtime.load('module.exports = (req) => ({ raw: req.bt === null });');
  assert.equal(await runtime.invoke(), { kind: 'returned', result: { raw: true } });
  runtime.close();
});

test.run();
