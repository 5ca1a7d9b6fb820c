'use strict';

const { Buffer } = require('buffer');
const { Transform } = require('stream');
const { base64, bytes, call, fromBase64, output } = require('./bridge.cjs');
const { secretBytes } = require('./keyObject.cjs');

function finalized() {
  return Object.assign(new Error('Digest already called'), { code: 'ERR_CRYPTO_HASH_FINALIZED' });
}

/** In bytes, of one request. */
const atOnce = 2 * 1024 * 1024;
const beginnings = { hash: 'beginHash', hmac: 'beginHmac' };

/** What is digested is gathered, and crosses over once; where it is large, in pieces, of which none is kept here. */
class Digest extends Transform {
  #operation;
  #request;
  #chunks = [];
  #gathered = 0;
  /** The host's number of it, once it has pieces. */
  #open;
  #ended = false;

  constructor(operation, request, open) {
    super();
    this.#operation = operation;
    this.#request = request;
    this.#open = open;
    // An algorithm that does not exist is reported where it is named.
    if (open === undefined) call(operation, { ...request, data: '' });
  }

  update(data, encoding) {
    if (this.#ended) throw finalized();
    const given = bytes(data, encoding);
    if (this.#gathered + given.length <= atOnce) {
      this.#chunks.push(Buffer.from(given));
      this.#gathered += given.length;
      return this;
    }
    this.#open ??= call(beginnings[this.#operation], this.#request);
    this.#send(this.#taken());
    for (let at = 0; at < given.length; at += atOnce) this.#send(given.subarray(at, at + atOnce));
    return this;
  }

  digest(encoding) {
    if (this.#ended) throw finalized();
    this.#ended = true;
    return output(this.#result(), encoding);
  }

  copy() {
    if (this.#ended) throw finalized();
    const open = this.#open === undefined ? undefined : call('copyDigest', { digest: this.#open });
    const copy = new Digest(this.#operation, this.#request, open);
    copy.#chunks = [...this.#chunks];
    copy.#gathered = this.#gathered;
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

  #taken() {
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#gathered = 0;
    return whole;
  }

  #send(piece) {
    call('updateDigest', { digest: this.#open, data: base64(piece) });
  }

  #result() {
    const rest = this.#taken();
    if (this.#open === undefined) {
      return fromBase64(call(this.#operation, { ...this.#request, data: base64(rest) }));
    }
    this.#send(rest);
    return fromBase64(call('endDigest', { digest: this.#open }));
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
