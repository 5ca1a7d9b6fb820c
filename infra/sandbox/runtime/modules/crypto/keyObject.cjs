'use strict';

const { base64, bytes, call, fromBase64 } = require('./bridge.cjs');

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
  return typeof inner === 'string'
    ? { ...result, data: inner }
    : { ...result, data: bytes(inner).toString('utf8') };
}

const textOrBytes = (data, rest) => ({ ...rest, format: 'pem', data: data.toString('utf8') });

function secretBytes(key, encoding) {
  return key instanceof KeyObject ? key.export() : bytes(key, encoding);
}

module.exports = { KeyObject, material, secretBytes };
