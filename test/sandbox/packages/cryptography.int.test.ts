import { generateKeyPairSync } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSandbox } from '#test/sandbox/hostile/support/sandboxes.ts';
import type { TestSandbox } from '#test/sandbox/hostile/support/sandboxes.ts';
import { lockedKey } from '#test/sandbox/packages/support/lockedKey.ts';

const test = suite<{ sandbox: TestSandbox }>('packages: cryptography');

const encodings = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048, ...encodings });
const curve = { namedCurve: 'P-256', ...encodings };
const merchant = generateKeyPairSync('ec', {
  ...curve,
  privateKeyEncoding: { type: 'sec1', format: 'pem' },
});
const visitor = generateKeyPairSync('ec', curve);
const keys = { rsa, merchant, visitor, lockedKey };

/** A certificate of the RSA key, with what more it is to say. */
const certificate = `
  const forge = require('node-forge');
  function certificateOf({ publicKey, privateKey }, extensions = []) {
    const one = forge.pki.createCertificate();
    one.publicKey = forge.pki.publicKeyFromPem(publicKey);
    one.serialNumber = '01';
    one.validity.notBefore = new Date(Date.now() - 1e7);
    one.validity.notAfter = new Date(Date.now() + 1e7);
    one.setSubject([{ name: 'commonName', value: 'shop.example' }]);
    one.setIssuer(one.subject.attributes);
    if (extensions.length > 0) one.setExtensions(extensions);
    one.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
    return forge.pki.certificateToPem(one);
  }`;

test.before((context) => {
  context.sandbox = startSandbox({ milliseconds: 60_000 });
});
test.after(({ sandbox }) => sandbox.close());

const run = (sandbox: TestSandbox, body: string): Promise<unknown> =>
  sandbox.rawOf(
    `${body.includes('certificateOf') ? certificate : ''}
    module.exports = async ({ args }) => ({ raw: await (async () => { ${body} })() });`,
    keys,
  );

test('given node-forge, when a message is signed, sealed and put into a certificate, then it verifies, opens and is read again', async ({
  sandbox,
}) => {
  const body = `
    const privateKey = forge.pki.privateKeyFromPem(args.rsa.privateKey);
    const digest = () => forge.md.sha256.create().update('charge', 'utf8');
    const signature = privateKey.sign(digest());
    const again = forge.pki.certificateFromPem(certificateOf(args.rsa));
    const cipher = forge.cipher.createCipher('AES-GCM', forge.random.getBytesSync(32));
    cipher.start({ iv: forge.random.getBytesSync(12) });
    cipher.update(forge.util.createBuffer('4242')); cipher.finish();
    const p12 = forge.pkcs12.toPkcs12Asn1(privateKey, again, 'secret', { friendlyName: 'key' });
    const bags = forge.pkcs12.pkcs12FromAsn1(p12, 'secret').getBags({ friendlyName: 'key' }).friendlyName;
    return [again.publicKey.verify(digest().digest().bytes(), signature), again.subject.getField('CN').value,
      cipher.output.length(), cipher.mode.tag.length(), bags.length > 0]`;
  assert.equal(await run(sandbox, body), [true, 'shop.example', 4, 16, true]);
});

test('given node-jose, when claims are signed and encrypted, then JWS and JWE give them back', async ({
  sandbox,
}) => {
  const body = `
    const { JWK, JWS, JWE } = require('node-jose');
    const key = await JWK.asKey(args.rsa.privateKey, 'pem');
    const signed = await JWS.createSign({ format: 'compact' }, key).update(JSON.stringify({ sub: 'a' })).final();
    const verified = await JWS.createVerify(key).verify(signed);
    const sealed = await JWE.createEncrypt({ format: 'compact' }, key).update('4242').final();
    const opened = await JWE.createDecrypt(key).decrypt(sealed);
    const curve = await JWK.createKey('EC', 'P-256', { alg: 'ECDH-ES' });
    const agreed = await JWE.createEncrypt({ format: 'compact', fields: { alg: 'ECDH-ES' } }, curve).update('by curve').final();
    return [signed.split('.').length, JSON.parse(verified.payload).sub, sealed.split('.').length, opened.plaintext.toString(),
      (await JWE.createDecrypt(curve).decrypt(agreed)).plaintext.toString()]`;
  assert.equal(await run(sandbox, body), [3, 'a', 5, '4242', 'by curve']);
});

test('given openpgp, when a file is encrypted and signed for a key, then only the key opens it', async ({
  sandbox,
}) => {
  const body = `
    const pgp = require('openpgp');
    const pair = await pgp.generateKey({ userIDs: [{ name: 'Bank', email: 'bank@example.com' }], format: 'object' });
    const { publicKey, privateKey } = pair;
    const message = await pgp.createMessage({ text: '4242,12,2035' });
    const armored = await pgp.encrypt({ message, encryptionKeys: publicKey, signingKeys: privateKey });
    const { data, signatures } = await pgp.decrypt({ message: await pgp.readMessage({ armoredMessage: armored }),
      decryptionKeys: privateKey, verificationKeys: await pgp.readKey({ armoredKey: publicKey.armor() }) });
    return [armored.split('\\n')[0].trim(), data, await signatures[0].verified]`;
  assert.equal(await run(sandbox, body), ['-----BEGIN PGP MESSAGE-----', '4242,12,2035', true]);
});

test('given openpgp, when keys have a passphrase, then it opens them, and no other does', async ({
  sandbox,
}) => {
  const body = `
    const pgp = require('openpgp');
    const opened = async (userIDs, config) => {
      const pair = await pgp.generateKey({ userIDs, passphrase: 'secret', config });
      const locked = await pgp.readPrivateKey({ armoredKey: pair.privateKey, config });
      const privateKey = await pgp.decryptKey({ privateKey: locked, passphrase: 'secret', config });
      const refusal = await pgp.decryptKey({ privateKey: locked, passphrase: 'wrong', config }).catch(({ message }) => message);
      return { privateKey, publicKey: await pgp.readKey({ armoredKey: pair.publicKey, config }), refusal };
    };
    const results = [];
    for (const config of [{}, { aeadProtect: true }]) {
      const { privateKey, publicKey, refusal } = await opened([{ name: 'Bank', email: 'bank@example.com' }], config);
      const message = await pgp.createMessage({ text: '4242,12,2035' });
      const armored = await pgp.encrypt({ message, encryptionKeys: publicKey, signingKeys: privateKey, config });
      const { data, signatures } = await pgp.decrypt({ message: await pgp.readMessage({ armoredMessage: armored }),
        decryptionKeys: privateKey, verificationKeys: publicKey, config });
      const signature = await pgp.readSignature({ armoredSignature: await pgp.sign({ message, signingKeys: privateKey, detached: true }) });
      const verified = await pgp.verify({ message, signature, verificationKeys: publicKey });
      results.push([data, await signatures[0].verified, await verified.signatures[0].verified, refusal.includes('passphrase')]);
    }
    return results`;
  const each = ['4242,12,2035', true, true, true];
  assert.equal(await run(sandbox, body), [each, each]);
});

test('given openpgp, when a key of GnuPG or a message has a passphrase, then it opens them', async ({
  sandbox,
}) => {
  const body = `
    const pgp = require('openpgp');
    const locked = await pgp.readPrivateKey({ armoredKey: args.lockedKey });
    const privateKey = await pgp.decryptKey({ privateKey: locked, passphrase: 'secret' });
    const message = await pgp.createMessage({ text: '4242' });
    const armoredMessage = await pgp.encrypt({ message, encryptionKeys: privateKey.toPublic(), passwords: ['word'] });
    const opened = async (by) => (await pgp.decrypt({ message: await pgp.readMessage({ armoredMessage }), ...by })).data;
    return [await opened({ decryptionKeys: privateKey }), await opened({ passwords: ['word'] })]`;
  assert.equal(await run(sandbox, body), ['4242', '4242']);
});

test('given mastercard-client-encryption, when a card is encrypted both ways, then it is decrypted again', async ({
  sandbox,
}) => {
  const body = `
    const { FieldLevelEncryption, JweEncryption } = require('mastercard-client-encryption');
    const encryptionCertificate = certificateOf(args.rsa);
    const privateKey = forge.pki.privateKeyToPem(forge.pki.privateKeyFromPem(args.rsa.privateKey));
    const paths = [{ path: '/cards', toEncrypt: [{ element: 'card', obj: 'sealed' }], toDecrypt: [{ element: 'sealed', obj: 'card' }] }];
    const both = { paths, encryptionCertificate, privateKey };
    const jwe = new JweEncryption({ ...both, mode: 'JWE', encryptedValueFieldName: 'value',
      toDecrypt: [] });
    const fields = new FieldLevelEncryption({ ...both, useCertificateContent: true, ivFieldName: 'iv', encryptedKeyFieldName: 'key',
      encryptedValueFieldName: 'value', oaepPaddingDigestAlgorithm: 'SHA-256', oaepHashingAlgorithmFieldName: 'oaep', dataEncoding: 'hex', publicKeyFingerprintType: 'publicKey' });
    return [jwe, fields].map((one) => {
      const { body } = one.encrypt('/cards', {}, { card: { number: '4242' } });
      const again = one.decrypt({ request: { url: '/cards' }, body: JSON.parse(JSON.stringify(body)) });
      return [JSON.stringify(body).includes('4242'), again];
    })`;
  assert.equal(await run(sandbox, body), [
    [false, { card: { number: '4242' } }],
    [false, { card: { number: '4242' } }],
  ]);
});

test('given mastercard-oauth1-signer, when a request is signed, then the signature is of its base string', async ({
  sandbox,
}) => {
  const body = `
    const header = require('mastercard-oauth1-signer').getAuthorizationHeader(
      'https://sandbox.api.mastercard.com/service?b=2&a=1', 'POST', '{"card":1}', 'consumer', args.rsa.privateKey);
    return Object.fromEntries([...header.matchAll(/(\\w+)="([^"]*)"/g)].map(([, name, value]) => [name, decodeURIComponent(value)]))`;
  const header = (await run(sandbox, body)) as Record<string, string>;
  assert.is(header.oauth_consumer_key, 'consumer');
  assert.is(header.oauth_signature_method, 'RSA-SHA256');
  assert.is(Buffer.from(header.oauth_signature ?? '', 'base64').length, 256);
});

/** What a wallet seals for a merchant's key: the same agreement and derivation, other words. */
const sealing = `
  const crypto = require('crypto');
  const secretOf = () => crypto.diffieHellman({ privateKey: crypto.createPrivateKey(args.visitor.privateKey),
    publicKey: crypto.createPublicKey(args.merchant.publicKey) });
  const spki = crypto.createPublicKey(args.visitor.publicKey).export({ type: 'spki', format: 'der' });
  const card = JSON.stringify({ number: '4242424242424242' });
  const byCounter = (key) => { const c = crypto.createCipheriv('aes-256-ctr', key, Buffer.alloc(16)); return Buffer.concat([c.update(card), c.final()]); };`;

test('given apple-pay-js, when a payment token is sealed for a merchant, then it is opened', async ({
  sandbox,
}) => {
  const body = `${sealing}
    const merchantId = 'ab'.repeat(32);
    const certificatePem = certificateOf(args.rsa, [{ id: '1.2.840.113635.100.6.32', value: '.@' + merchantId }]);
    const key = crypto.createHash('sha256').update(Buffer.from('00000001', 'hex')).update(secretOf())
      .update('\\rid-aes256-GCMApple').update(Buffer.from(merchantId, 'hex')).digest();
    const cipher = crypto.createCipheriv('aes-256-gcm', key, Buffer.alloc(16));
    const data = Buffer.concat([cipher.update(card), cipher.final(), cipher.getAuthTag()]).toString('base64');
    const { ApplePaymentTokenContext } = require('@basis-theory/apple-pay-js');
    const context = new ApplePaymentTokenContext({ merchants: [{ certificatePem: Buffer.from(certificatePem), privateKeyPem: Buffer.from(args.merchant.privateKey) }] });
    return context.decrypt({ version: 'EC_v1', data, header: { ephemeralPublicKey: spki.toString('base64') } })`;
  assert.equal(await run(sandbox, body), { number: '4242424242424242' });
});

test('given google-pay-js, when a payment method token is sealed for a merchant, then it is opened', async ({
  sandbox,
}) => {
  const body = `${sealing}
    const point = spki.slice(-65);
    const derived = Buffer.from(crypto.hkdfSync('sha256', Buffer.concat([point, secretOf()]), Buffer.alloc(32), Buffer.from('Google'), 64));
    const encryptedMessage = byCounter(derived.slice(0, 32));
    const tag = crypto.createHmac('sha256', derived.slice(32)).update(encryptedMessage).digest('base64');
    const signedMessage = JSON.stringify({ tag, encryptedMessage: encryptedMessage.toString('base64'), ephemeralPublicKey: point.toString('base64') });
    const { GooglePaymentMethodTokenContext } = require('@basis-theory/google-pay-js');
    return new GooglePaymentMethodTokenContext({ merchants: [{ privateKeyPem: Buffer.from(args.merchant.privateKey) }] }).decrypt({ protocolVersion: 'ECv2', signedMessage })`;
  assert.equal(await run(sandbox, body), { number: '4242424242424242' });
});

test('given shopify-js, when a payment session is sealed for an application, then it is opened', async ({
  sandbox,
}) => {
  const body = `${sealing}
    const derived = Buffer.from(crypto.hkdfSync('sha256', secretOf(), '', '', 48));
    const message = byCounter(derived.slice(0, 32));
    const tag = crypto.createHmac('sha256', derived.slice(32)).update(message).digest().slice(0, 16).toString('base64');
    const { ShopifyPaymentSessionContext } = require('@basis-theory/shopify-js');
    const payment = { data: { ephemeral_public_key: args.visitor.publicKey, tag, encrypted_message: message.toString('base64') } };
    return new ShopifyPaymentSessionContext({ privateKeyPem: args.merchant.privateKey }).decrypt(payment)`;
  assert.equal(await run(sandbox, body), { number: '4242424242424242' });
});

test.run();
