'use strict';

const { Buffer } = require('buffer');
const { Transform } = require('stream');
const { base64, bytes, call, fromBase64, output } = require('./bridge.cjs');
const { secretBytes } = require('./keyObject.cjs');

/** The host keeps no state: all input so far crosses over, and what has been given out already is left off. */
class Cipher extends Transform {
  #request;
  #input = [];
  #given = 0;
  #aad = [];
  #tag;
  #ended = false;

  constructor(decrypt, algorithm, key, iv, options = {}) {
    super();
    this.#request = {
      decrypt,
      algorithm,
      key: secretBytes(key).toString('base64'),
      iv: iv === null ? null : base64(iv),
      authTagLength: options.authTagLength,
    };
    this.#run(false);
  }

  update(data, inputEncoding, outputEncoding) {
    if (this.#ended) throw unsupportedState('Trying to add data in unsupported state');
    this.#input.push(Buffer.from(bytes(data, inputEncoding)));
    return output(this.#fresh(this.#run(false).data), outputEncoding);
  }

  final(outputEncoding) {
    if (this.#ended) throw unsupportedState('Unsupported state');
    this.#ended = true;
    const result = this.#run(true);
    if (result.tag !== undefined) this.#tag = fromBase64(result.tag);
    return output(this.#fresh(result.data), outputEncoding);
  }

  setAAD(data) {
    this.#aad.push(Buffer.from(bytes(data)));
    return this;
  }

  setAutoPadding(autoPadding = true) {
    this.#request.autoPadding = Boolean(autoPadding);
    return this;
  }

  getAuthTag() {
    if (!this.#ended || this.#tag === undefined)
      throw unsupportedState('Invalid state for operation getAuthTag');
    return this.#tag;
  }

  setAuthTag(tag, encoding) {
    this.#request.authTag = base64(tag, encoding);
    return this;
  }

  _transform(chunk, encoding, done) {
    this.push(this.update(chunk, encoding));
    done();
  }

  _flush(done) {
    let rest;
    try {
      rest = this.final();
    } catch (error) {
      done(error);
      return;
    }
    this.push(rest);
    done();
  }

  #run(final) {
    const request = { ...this.#request, final, data: base64(Buffer.concat(this.#input)) };
    if (this.#aad.length > 0) request.aad = base64(Buffer.concat(this.#aad));
    return call('cipher', request);
  }

  #fresh(text) {
    const all = fromBase64(text);
    const fresh = all.slice(this.#given);
    this.#given = all.length;
    return fresh;
  }
}

function unsupportedState(message) {
  return Object.assign(new Error(message), { code: 'ERR_CRYPTO_INVALID_STATE' });
}

module.exports = {
  Cipher,
  // Some libraries call these with `new`.
  createCipheriv: function (algorithm, key, iv, options) {
    return new Cipher(false, algorithm, key, iv, options);
  },
  createDecipheriv: function (algorithm, key, iv, options) {
    return new Cipher(true, algorithm, key, iv, options);
  },
  getCiphers: () => call('ciphers', {}),
};
