'use strict';

const { base64, call, fromBase64, output } = require('./bridge.cjs');
const { material } = require('./keyObject.cjs');

class ECDH {
  #curve;
  #pair;

  constructor(curve) {
    this.#curve = curve;
    call('ecdh', { curve });
  }

  generateKeys(encoding, format) {
    this.#pair = call('ecdh', { curve: this.#curve });
    return this.getPublicKey(encoding, format);
  }

  setPrivateKey(key, encoding) {
    this.#pair = call('ecdh', { curve: this.#curve, privateKey: base64(key, encoding) });
    return this;
  }

  /** Node checks that it is on the curve, and then goes by the private key: so does this. */
  setPublicKey(key, encoding) {
    call('ecdh', { curve: this.#curve, privateKey: generated(this.#curve), other: base64(key, encoding) });
    return this;
  }

  getPrivateKey(encoding) {
    return output(fromBase64(this.#pair.privateKey), encoding);
  }

  getPublicKey(encoding, format = 'uncompressed') {
    const { publicKey } = call('ecdh', { curve: this.#curve, privateKey: this.#pair.privateKey, format });
    return output(fromBase64(publicKey), encoding);
  }

  computeSecret(other, inputEncoding, outputEncoding) {
    const request = {
      curve: this.#curve,
      privateKey: this.#pair.privateKey,
      other: base64(other, inputEncoding),
    };
    return output(fromBase64(call('ecdh', request).secret), outputEncoding);
  }
}

const generated = (curve) => call('ecdh', { curve }).privateKey;

module.exports = {
  ECDH,
  createECDH: (curve) => new ECDH(curve),
  diffieHellman: ({ privateKey, publicKey }) =>
    fromBase64(call('diffieHellman', { privateKey: material(privateKey), publicKey: material(publicKey) })),
  getCurves: () => call('curves', {}),
};
