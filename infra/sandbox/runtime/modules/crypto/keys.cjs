'use strict';

const { base64, bytes, call, callingBack, fromBase64 } = require('./bridge.cjs');

/** A key as text or bytes; the host parses it anew whenever it is used. */
class KeyObject {
  #material;
  #details;

  constructor(material, details) {
    this.#material = material;
    this.#details = details;
    this.type = details.type;
    if (details.type === 'secret') this.symmetricKeySize = fromBase64(material.data).length;
    else this.asymmetricKeyType = details.asymmetricKeyType;
  }

  get asymmetricKeyDetails() {
    const { publicExponent, ...details } = this.#details.asymmetricKeyDetails ?? {};
    return publicExponent === undefined ? details : { ...details, publicExponent: BigInt(publicExponent) };
  }

  export(options = {}) {
    if (this.type === 'secret') {
      const secret = fromBase64(this.#material.data);
      return options.format === 'jwk' ? { kty: 'oct', k: secret.toString('base64url') } : secret;
    }
    const { type, format = 'pem', cipher, passphrase } = options;
    const request = { key: this.#material, keyType: this.type, type, format, cipher };
    if (passphrase !== undefined) request.passphrase = base64(passphrase);
    const result = call('exportKey', request);
    return format === 'der' ? fromBase64(result) : result;
  }

  equals(other) {
    return other instanceof KeyObject && JSON.stringify(other.#material) === JSON.stringify(this.#material);
  }

  static materialOf(key) {
    return key.#material;
  }
}

const { materialOf } = KeyObject;

/** What of a key's many spellings crosses over. */
function material(key) {
  if (key instanceof KeyObject) return materialOf(key);
  if (typeof key === 'string') return { format: 'pem', data: key };
  if (ArrayBuffer.isView(key) || key instanceof ArrayBuffer) return textOrBytes(bytes(key), {});
  const { key: inner, format = 'pem', type, passphrase, encoding } = key ?? {};
  if (inner instanceof KeyObject) return materialOf(inner);
  if (format === 'jwk') return { format, data: inner };
  const result = { format, type };
  if (passphrase !== undefined) result.passphrase = base64(passphrase);
  if (format === 'der') return { ...result, data: base64(inner, encoding) };
  return typeof inner === 'string' ? { ...result, data: inner } : { ...result, data: bytes(inner).toString('utf8') };
}

const textOrBytes = (data, rest) => ({ ...rest, format: 'pem', data: data.toString('utf8') });

function secretBytes(key, encoding) {
  return key instanceof KeyObject ? key.export() : bytes(key, encoding);
}

const make = (key, keyType) => {
  const { material: normalized, ...details } = call('readKey', { key: material(key), keyType });
  return new KeyObject(normalized, details);
};
const createPublicKey = (key) => make(key, 'public');
const createPrivateKey = (key) => make(key, 'private');
const createSecretKey = (key, encoding) =>
  new KeyObject({ format: 'secret', data: base64(key, encoding) }, { type: 'secret' });

function encoded(key, encoding) {
  if (!encoding) return key;
  return key.export(encoding);
}

function generateKeyPairSync(type, options = {}) {
  const { modulusLength, publicExponent, namedCurve, publicKeyEncoding, privateKeyEncoding } = options;
  const pair = call('generateKeyPair', { type, modulusLength, publicExponent, namedCurve });
  return {
    publicKey: encoded(createPublicKey(pair.publicKey), publicKeyEncoding),
    privateKey: encoded(createPrivateKey(pair.privateKey), privateKeyEncoding),
  };
}

function generateKeyPair(type, options, callback) {
  const whenDone = (error, pair) =>
    error ? callback(error) : callback(null, pair.publicKey, pair.privateKey);
  callingBack(generateKeyPairSync)(type, options, whenDone);
}

function generateKeySync(type, { length }) {
  const size = type === 'aes' ? length / 8 : Math.floor(length / 8);
  return createSecretKey(fromBase64(call('random', { size })));
}

module.exports = {
  KeyObject,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPair,
  generateKeyPairSync,
  generateKeySync,
  material,
  secretBytes,
};
