import { bodyOf, bounded, modules, programs } from '#test/sandbox/hostile/support/program.ts';
import type { HostileProgram } from '#test/sandbox/hostile/support/program.ts';

const returning = (name: string, body: string, raw: unknown): HostileProgram => ({
  name,
  code: bodyOf(body),
  // On a slow machine some of it takes longer than there is.
  ends: ['returned', 'timed_out'],
  raw,
});

const refusal = (call: string): string => `
  const crypto = require('crypto');
  try { ${call}; return { raw: 'done' } } catch (error) { return { raw: 'refused' } }`;

/** Too much of what the host does for code: logs, calls, timers, cryptography, modules, and code itself. */
export const floods: readonly HostileProgram[] = [
  returning('10 MB of logs', `console.log('x'.repeat(1e7)); return { raw: 1 };`, 1),
  returning('a million logs', `for (let i = 0; i < 1e6; i++) console.log('x'); return { raw: 1 };`, 1),
  returning(
    'logs of what cannot be shown',
    `const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); const o = {}; o.o = o;
     console.log(proxy, o, { get a() { throw 1 } }, Symbol('s'), 5n, new Proxy({}, { get() { throw 2 } }));
     console.table(proxy); console.dir(o, { depth: Infinity }); console.log('%s %d %o %j', proxy, proxy, proxy, o);
     return { raw: 1 };`,
    1,
  ),
  returning(
    'a thousand requests',
    `const https = require('https'); let refused = 0;
     for (let i = 0; i < 1000; i++) {
       try { https.get('https://localhost/').on('error', (e) => { if (e.code === 'ERR_TOO_MANY_PENDING') refused++ }) }
       catch (e) { if (e.code === 'ERR_TOO_MANY_PENDING') refused++ }
     }
     await new Promise((done) => setImmediate(done)).catch(() => 0);
     return { raw: typeof refused };`,
    'number',
  ),
  returning(
    'ten thousand timers',
    `let refused = 0; for (let i = 0; i < 1e4; i++) try { setTimeout(() => 0, 1e6) } catch (e) { refused++ }
     return { raw: refused };`,
    1e4 - 100,
  ),
  returning(
    'ends of what others began',
    `for (let i = -1000; i < 100000; i++) clearTimeout(i); clearTimeout(NaN); clearTimeout({}); clearTimeout('1');
     return { raw: 1 };`,
    1,
  ),
  returning(
    'ten thousand unknown modules',
    `let n = 0; for (let i = 0; i < 1e4; i++) try { require('m' + i) } catch { n++ } return { raw: n };`,
    1e4,
  ),
  returning('derivation without end', refusal(`crypto.pbkdf2Sync('p', 's', 1e9, 64, 'sha512')`), 'refused'),
  returning(
    'derivation that takes memory',
    refusal(`crypto.scryptSync('p', 's', 64, { N: 2 ** 20, r: 1024, p: 8, maxmem: 2 ** 40 })`),
    'refused',
  ),
  returning('derivation of much', refusal(`crypto.hkdfSync('sha256', 'k', 's', 'i', 2 ** 30)`), 'refused'),
  returning('1 GB of chance', refusal('crypto.randomBytes(2 ** 30)'), 'refused'),
  returning('chance over everything', refusal('crypto.randomFillSync(Buffer.alloc(2 ** 25))'), 'refused'),
  returning(
    'a key of 16384 bits',
    refusal(`crypto.generateKeyPairSync('rsa', { modulusLength: 16384 })`),
    'refused',
  ),
  returning(
    'an operation of its own',
    refusal(`crypto.createHash('__proto__').update('x').digest()`),
    'refused',
  ),
  returning('a cipher of its own', refusal(`crypto.createCipheriv('../../etc/passwd', 'k', 'i')`), 'refused'),
  returning(
    'a key that is a file',
    refusal(`crypto.createPrivateKey('file:///etc/ssl/private/key.pem')`),
    'refused',
  ),
  returning('an engine', refusal(`crypto.setEngine('/tmp/engine.so')`), 'refused'),
  ...programs(bounded, {
    'timers begun and ended': 'for (;;) clearTimeout(setTimeout(() => 0, 1e6));',
    'derivation again and again': `for (;;) require('crypto').pbkdf2Sync('p', 's', 3e5, 64, 'sha512');`,
    'keys again and again': `for (;;) require('crypto').generateKeyPairSync('rsa', { modulusLength: 4096 });`,
    'digests again and again': `for (;;) require('crypto').createHash('sha512').update('x'.repeat(1e6)).digest();`,
    'modules again and again': `for (;;) try { require('m' + Math.random() + 'x'.repeat(1e5)) } catch {}`,
    'logs without end': `for (;;) console.log('x'.repeat(1000));`,
  }),
  ...programs([...bounded, 'threw'], {
    'requests begun and ended': `for (;;) { const r = require('https').get('https://localhost/'); r.on('error', () => 0); r.destroy(); await null; }`,
    'a digest of much': `require('crypto').createHash('sha512').update('x'.repeat(1e7)).digest();`,
    'a name of a module of 100 MB': `require('x'.repeat(1e8));`,
    'a request of 100 MB': `
      const r = require('https').request('https://localhost/', { method: 'POST' });
      await new Promise((done, fail) => { r.on('error', fail); r.end(Buffer.alloc(4e7)); });`,
    'a request with a million headers': `
      const headers = {}; for (let i = 0; i < 1e6; i++) headers['x-' + i] = 'y';
      await new Promise((done, fail) => require('https').get('https://localhost/', { headers }, done).on('error', fail));`,
  }),
  ...modules(['invalid', 'threw', 'returned', 'timed_out'], {
    'code of parentheses': `module.exports = () => ${'('.repeat(24000)}1${')'.repeat(24000)};`,
    'code of lists': `module.exports = () => ({ raw: ${'['.repeat(24000)}${']'.repeat(24000)}.length });`,
    'code of functions': `module.exports = ${'()=>'.repeat(12000)}1;`,
    'code of ternaries': `module.exports = () => ({ raw: ${'1?'.repeat(9000)}1${':0'.repeat(9000)} });`,
    'code of 50,000 characters': `module.exports = () => ({ raw: '${'x'.repeat(49900)}'.length });`,
    'code of templates': `module.exports = () => ({ raw: ${'`${'.repeat(8000)}1${'}`'.repeat(8000)} });`,
    'a large regular expression': `module.exports = () => ({ raw: /${'(a|'.repeat(10000)}b${')'.repeat(10000)}/.test('a') });`,
  }),
];
