import * as crypto from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCryptography } from '#infra/sandbox/host/cryptography.ts';
import { valueOf } from '#test/sandbox/runtime/support/runtime.ts';

const test = suite('runtime: crypto');
const rsa = crypto.generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const run = (body: string, args: unknown = {}): Promise<unknown> =>
  valueOf(`const crypto = require('crypto'); const { args } = req; ${body}`, args);

test('given text, when it is digested and signed with a secret, then the result is Node’s', async () => {
  const body = `return [
    crypto.createHash('sha256').update('grü').update(Buffer.from('ß')).digest('hex'),
    crypto.createHmac('SHA512', Buffer.from('key')).update('text').digest('base64'),
    crypto.createHash('md5').update('YQ==', 'base64').digest().toString('base64url'),
    crypto.createHash('sha1').update('a').copy().update('b').digest('latin1'),
    crypto.getHashes().includes('sha256'),
    await new Promise((done) => { const h = crypto.createHash('sha256'); h.on('data', (d) => done(d.toString('hex'))); h.end('x') }),
  ]`;
  const hash = (algorithm: string): crypto.Hash => crypto.createHash(algorithm);
  assert.equal(await run(body), [
    hash('sha256').update('grüß').digest('hex'),
    crypto.createHmac('sha512', 'key').update('text').digest('base64'),
    hash('md5').update('a').digest('base64url'),
    hash('sha1').update('ab').digest().toString('latin1'),
    true,
    hash('sha256').update('x').digest('hex'),
  ]);
});

test('given AES, when text goes there and back, then it is the same and Node agrees', async () => {
  const key = crypto.randomBytes(32);
  const iv = crypto.randomBytes(12);
  const body = `
    const key = Buffer.from(args.key, 'base64'), iv = Buffer.from(args.iv, 'base64');
    const c = crypto.createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from('aad'));
    const encrypted = c.update('first ', 'utf8', 'hex') + c.update('second', 'utf8', 'hex') + c.final('hex');
    const d = crypto.createDecipheriv('aes-256-gcm', key, iv); d.setAAD(Buffer.from('aad')); d.setAuthTag(c.getAuthTag());
    const back = d.update(encrypted, 'hex', 'utf8') + d.final('utf8');
    const bad = crypto.createDecipheriv('aes-256-gcm', key, iv); bad.setAuthTag(c.getAuthTag()); bad.update(encrypted, 'hex');
    let refused; try { bad.final() } catch (e) { refused = e.message }
    const cbc = crypto.createCipheriv('aes-256-cbc', key, Buffer.alloc(16));
    const blocks = Buffer.concat([cbc.update('x'.repeat(40)), cbc.final()]).toString('base64');
    return { encrypted, tag: c.getAuthTag().toString('hex'), back, refused, blocks }`;
  const cipher = crypto.createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from('aad'));
  const encrypted = cipher.update('first second', 'utf8', 'hex') + cipher.final('hex');
  const blocks = crypto.createCipheriv('aes-256-cbc', key, Buffer.alloc(16));
  assert.equal(await run(body, { key: key.toString('base64'), iv: iv.toString('base64') }), {
    encrypted,
    tag: cipher.getAuthTag().toString('hex'),
    back: 'first second',
    refused: 'Unsupported state or unable to authenticate data',
    blocks: Buffer.concat([blocks.update('x'.repeat(40)), blocks.final()]).toString('base64'),
  });
});

test('given keys, when text is signed inside, then Node verifies it, and the other way round', async () => {
  const signature = crypto.sign('sha256', Buffer.from('text'), rsa.privateKey).toString('base64');
  const body = `
    const { privateKey, publicKey } = args;
    const pss = { key: privateKey, padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
    const ed = crypto.generateKeyPairSync('ed25519');
    const ec = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const ecSignature = crypto.createSign('SHA256').update('text').sign({ key: ec.privateKey, dsaEncoding: 'ieee-p1363' });
    return {
      rsa: crypto.createSign('RSA-SHA256').update('te').update('xt').sign(privateKey, 'base64'),
      pss: crypto.sign('sha256', Buffer.from('text'), pss).toString('base64'),
      verified: crypto.createVerify('sha256').update('text').verify(publicKey, args.signature, 'base64'),
      forged: crypto.verify('sha256', Buffer.from('other'), publicKey, Buffer.from(args.signature, 'base64')),
      ed: crypto.verify(null, Buffer.from('m'), ed.publicKey, crypto.sign(null, Buffer.from('m'), ed.privateKey)),
      ec: [ecSignature.length, crypto.verify('sha256', Buffer.from('text'), { key: ec.publicKey, dsaEncoding: 'ieee-p1363' }, ecSignature)],
      decrypted: crypto.privateDecrypt(privateKey, crypto.publicEncrypt(publicKey, Buffer.from('secret'))).toString(),
      oaep: crypto.publicEncrypt({ key: publicKey, oaepHash: 'sha256' }, Buffer.from('secret')).toString('base64'),
      reversed: crypto.publicDecrypt(publicKey, crypto.privateEncrypt(privateKey, Buffer.from('secret'))).toString(),
    }`;
  const result = (await run(body, { ...rsa, signature })) as Record<string, string>;
  const decode = (name: string): Buffer => Buffer.from(result[name] ?? '', 'base64');
  assert.is(result.rsa, signature);
  const pss = { key: rsa.publicKey, padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  assert.ok(crypto.verify('sha256', Buffer.from('text'), pss, decode('pss')));
  const oaep = { key: rsa.privateKey, oaepHash: 'sha256' };
  assert.is(crypto.privateDecrypt(oaep, decode('oaep')).toString(), 'secret');
  const { verified, forged, ed, ec, decrypted, reversed } = result;
  assert.equal(
    [verified, forged, ed, ec, decrypted, reversed],
    [true, false, true, [64, true], 'secret', 'secret'],
  );
});

test('given keys in several forms, when they are read and written, then they are the same keys', async () => {
  const body = `
    const key = crypto.createPrivateKey(args.privateKey);
    const pub = crypto.createPublicKey({ key: crypto.createPublicKey(args.publicKey).export({ format: 'jwk' }), format: 'jwk' });
    const locked = key.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'p' });
    const der = pub.export({ type: 'spki', format: 'der' });
    const secret = crypto.createSecretKey(Buffer.from('s'));
    return [key.type, key.asymmetricKeyType, key.asymmetricKeyDetails.modulusLength,
      pub.export({ type: 'spki', format: 'pem' }) === args.publicKey, locked.includes('ENCRYPTED'),
      crypto.createPrivateKey({ key: locked, passphrase: 'p' }).equals(key),
      crypto.createPublicKey({ key: der, format: 'der', type: 'spki' }).equals(pub),
      crypto.createPublicKey(key).equals(pub), secret.symmetricKeySize,
      crypto.createHmac('sha256', secret).update('').digest('hex') === crypto.createHmac('sha256', 's').update('').digest('hex')]`;
  assert.equal(await run(body, rsa), ['private', 'rsa', 2048, true, true, true, true, true, 1, true]);
});

test('given passwords, when keys are derived, then they are Node’s', async () => {
  const body = `return [
    crypto.pbkdf2Sync('p', 's', 1000, 64, 'sha512').toString('hex'),
    await require('util').promisify(crypto.pbkdf2)('p', 's', 1000, 20, 'sha1').then((k) => k.toString('hex')),
    crypto.scryptSync('p', 's', 32).toString('hex'),
    await new Promise((done) => crypto.scrypt('p', 's', 16, { N: 1024 }, (e, k) => done(k.toString('hex')))),
    Buffer.from(crypto.hkdfSync('sha256', 'k', 's', 'i', 42)).toString('hex'),
  ]`;
  assert.equal(await run(body), [
    crypto.pbkdf2Sync('p', 's', 1000, 64, 'sha512').toString('hex'),
    crypto.pbkdf2Sync('p', 's', 1000, 20, 'sha1').toString('hex'),
    crypto.scryptSync('p', 's', 32).toString('hex'),
    crypto.scryptSync('p', 's', 16, { N: 1024 }).toString('hex'),
    Buffer.from(crypto.hkdfSync('sha256', 'k', 's', 'i', 42)).toString('hex'),
  ]);
});

test('given chance, when it is asked for, then it comes in every form', async () => {
  const body = `
    const ids = new Set(Array.from({ length: 200 }, () => crypto.randomUUID()));
    const filled = crypto.randomFillSync(Buffer.alloc(16), 8);
    const ecdh = ['secp256k1', 'secp256k1'].map((c) => crypto.createECDH(c)); ecdh.forEach((e) => e.generateKeys());
    const x = [crypto.generateKeyPairSync('x25519'), crypto.generateKeyPairSync('x25519')];
    return [ids.size, [...ids].every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
      crypto.randomBytes(1000).length, await new Promise((done) => crypto.randomBytes(5, (e, b) => done(b.length))),
      filled.slice(0, 8).equals(Buffer.alloc(8)), filled.slice(8).equals(Buffer.alloc(8)),
      crypto.randomInt(5) < 5, crypto.randomInt(3, 4), crypto.webcrypto.getRandomValues(new Uint32Array(4)).some(Boolean),
      crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('a')), crypto.timingSafeEqual(Buffer.from('a'), Buffer.from('b')),
      ecdh[0].computeSecret(ecdh[1].getPublicKey()).equals(ecdh[1].computeSecret(ecdh[0].getPublicKey())),
      crypto.diffieHellman({ privateKey: x[0].privateKey, publicKey: x[1].publicKey }).length]`;
  const expected = [200, true, 1000, 5, true, false, true, 3, true, true, false, true, 32];
  assert.equal(await run(body), expected);
});

test('given more than one request carries, when it is digested, then the digests are Node’s', async () => {
  const body = `
    const large = Buffer.alloc(20_000_001, 'abc');
    const half = crypto.createHash('sha256').update('before').update(large);
    const copy = half.copy().update('other');
    const late = Array.from({ length: 3 }, () => crypto.createHash('sha1').update(large.subarray(0, 3e6)));
    return [half.update('after').digest('hex'), copy.digest('hex'), crypto.createHmac('md5', 'k').update(large).update('x').digest('hex'),
      crypto.createHash('shake128', { outputLength: 5 }).update(large).digest('hex'), new Set(late.map((each) => each.digest('hex'))).size]`;
  const large = Buffer.alloc(20_000_001, 'abc');
  const half = crypto.createHash('sha256').update('before').update(large);
  assert.equal(await run(body), [
    half.copy().update('after').digest('hex'),
    half.copy().update('other').digest('hex'),
    crypto.createHmac('md5', 'k').update(large).update('x').digest('hex'),
    crypto.createHash('shake128', { outputLength: 5 }).update(large).digest('hex'),
    1,
  ]);
});

test('given large digests that are never ended, when there are too many, then the oldest is forgotten', async () => {
  const body = `
    const piece = Buffer.alloc(2_100_000);
    const open = Array.from({ length: 101 }, () => crypto.createHash('md5').update(piece));
    const last = open[100].digest('hex').length;
    try { open[0].digest(); return 'done' } catch (e) { return [last, e.code, e.message] }`;
  const message = 'At most 100 digests of large data may be open at the same time.';
  assert.equal(await run(body), [32, 'ERR_OUT_OF_RANGE', message]);
});

test('given what is wrong or too expensive, when it is asked for, then an error tells', async () => {
  const codes = async (statement: string): Promise<unknown> =>
    run(`try { ${statement}; return 'done' } catch (e) { return [e.name, e.code ?? null] }`);
  assert.equal(await codes('crypto.pbkdf2Sync("p", "s", 3000000, 32, "sha256")'), [
    'RangeError',
    'ERR_OUT_OF_RANGE',
  ]);
  assert.equal(await codes('crypto.scryptSync("p", "s", 32, { N: 1048576, r: 8 })'), [
    'RangeError',
    'ERR_CRYPTO_INVALID_SCRYPT_PARAMS',
  ]);
  assert.equal(await codes('crypto.generateKeyPairSync("rsa", { modulusLength: 8192 })'), [
    'RangeError',
    'ERR_OUT_OF_RANGE',
  ]);
  assert.equal(await codes('crypto.randomBytes(1e9)'), ['RangeError', 'ERR_OUT_OF_RANGE']);
  assert.equal(
    await codes('crypto.createCipheriv("aes-128-ecb", "0".repeat(16), null).update("x".repeat(9e6))'),
    ['RangeError', 'ERR_OUT_OF_RANGE'],
  );
  assert.match(String(await codes('crypto.createHash("sha257")')), /^Error/);
  assert.equal(await codes('crypto.createHash("sha256").update(5)'), ['TypeError', 'ERR_INVALID_ARG_TYPE']);
  assert.equal(await codes('crypto.createPrivateKey("nonsense")'), ['Error', 'ERR_OSSL_UNSUPPORTED']);
});

test('given requests that no library makes, when they reach the host, then it answers with an error', () => {
  const requests = [
    'not json',
    'null',
    '[]',
    '{}',
    '{"operation":"constructor"}',
    '{"operation":"__proto__"}',
    '{"operation":"hash","algorithm":["sha256"],"data":""}',
    '{"operation":"hash","algorithm":"sha256","data":{}}',
    '{"operation":"updateDigest","digest":1,"data":""}',
    '{"operation":"endDigest","digest":"1"}',
    '{"operation":"beginHash","algorithm":"sha257"}',
    '{"operation":"random","size":"8"}',
    '{"operation":"random","size":1e9}',
    '{"operation":"random","size":-1}',
    '{"operation":"rsa","method":"constructor"}',
    '{"operation":"sign","algorithm":"sha256","data":"","key":{"format":"pem","data":"engine:x"}}',
    '{"operation":"sign","algorithm":"sha256","data":"","key":null}',
    '{"operation":"readKey","keyType":"secret","key":{}}',
    '{"operation":"ecdh","curve":"no-such-curve"}',
    '{"operation":"cipher","algorithm":"aes-256-ccm","key":"","data":""}',
  ];
  const answerCryptography = createCryptography();
  for (const request of requests) {
    const answer = JSON.parse(answerCryptography(request)) as { error?: object };
    assert.type(answer.error, 'object', request);
  }
});

test.run();
