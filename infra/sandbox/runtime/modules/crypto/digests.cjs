'use strict';

const { Buffer } = require('buffer');
const { Transform } = require('stream');
const { base64, bytes, call, fromBase64, output } = require('./bridge.cjs');
const { secretBytes } = require('./keyObject.cjs');

function finalized() {
  return Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
}

/** What is digested is gathered, and crosses over once. */
class Digest extends Transform {
  #operation;
  #request;
  #chunks = [];
  #ended = false;

  constructor(operation, request) {
    super();
    this.#operation = operation;
    this.#request = request;
    // An algorithm that does not exist is reported where it is named.
    call(operation, { ...request, data: '' });
  }

  update(data, encoding) {
    if (this.#ended) throw finalized();
    this.#chunks.push(Buffer.from(bytes(data, encoding)));
    return this;
  }

  digest(encoding) {
    if (this.#ended) throw finalized();
    this.#ended = true;
    return output(this.#result(), encoding);
  }

  copy() {
    if (this.#ended) throw finalized();
    const copy = new Digest(this.#operation, this.#request);
    copy.#chunks = [...this.#chunks];
    return copy;
  }

  _transform(chunk, encoding, done) {
    this.update(chunk, encoding);
    done();
  }

  _flush(done) {
    this.push(this.digest());
    done();
  }

  #result() {
    return fromBase64(call(this.#operation, { ...this.#request, data: base64(Buffer.concat(this.#chunks)) }));
  }
}

const createHash = (algorithm, options) =>
  new Digest('hash', { algorithm, outputLength: options?.outputLength });
const createHmac = (algorithm, key) =>
  new Digest('hmac', { algorithm, key: secretBytes(key).toString('base64') });
const hash = (algorithm, data, encoding = 'hex') => createHash(algorithm).update(data).digest(encoding);

module.exports = {
  Hash: Digest,
  Hmac: Digest,
  createHash,
  createHmac,
  hash,
  getHashes: () => call('hashes', {}),
};
