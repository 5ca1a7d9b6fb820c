'use strict';

const { Buffer } = require('buffer');
const { Writable } = require('stream');
const { base64, bytes, call, fromBase64, output } = require('./bridge.cjs');
const { material } = require('./keyObject.cjs');

const optionsOf = (key) => {
  const { padding, saltLength, dsaEncoding } = key ?? {};
  return { padding, saltLength, dsaEncoding };
};

function sign(algorithm, data, key) {
  const request = { algorithm: algorithm ?? null, data: base64(data), key: material(key), ...optionsOf(key) };
  return fromBase64(call('sign', request));
}

function verify(algorithm, data, key, signature) {
  const request = { algorithm: algorithm ?? null, data: base64(data), key: material(key), ...optionsOf(key) };
  return call('verify', { ...request, signature: base64(signature) });
}

/** Signs or verifies what was written to it. */
class Gathering extends Writable {
  #chunks = [];

  constructor(algorithm) {
    super();
    this.algorithm = algorithm;
  }

  update(data, encoding) {
    this.#chunks.push(Buffer.from(bytes(data, encoding)));
    return this;
  }

  _write(chunk, encoding, done) {
    this.update(chunk, encoding);
    done();
  }

  data() {
    return Buffer.concat(this.#chunks);
  }
}

class Sign extends Gathering {
  sign(key, encoding) {
    return output(sign(this.algorithm, this.data(), key), encoding);
  }
}

class Verify extends Gathering {
  verify(key, signature, encoding) {
    return verify(this.algorithm, this.data(), key, bytes(signature, encoding));
  }
}

const rsa = (method) => (key, data) => {
  const { padding, oaepHash, oaepLabel, encoding } = key ?? {};
  const request = { method, key: material(key), data: base64(data, encoding), padding, oaepHash };
  if (oaepLabel !== undefined) request.oaepLabel = base64(oaepLabel);
  return fromBase64(call('rsa', request));
};

const calledBack = (work, count) =>
  function (...args) {
    const callback = args[count];
    if (typeof callback !== 'function') return work(...args);
    const result = work(...args.slice(0, count));
    queueMicrotask(() => callback(null, result));
    return undefined;
  };

module.exports = {
  Sign,
  Verify,
  createSign: (algorithm) => new Sign(algorithm),
  createVerify: (algorithm) => new Verify(algorithm),
  sign: calledBack(sign, 3),
  verify: calledBack(verify, 4),
  publicEncrypt: rsa('publicEncrypt'),
  privateDecrypt: rsa('privateDecrypt'),
  privateEncrypt: rsa('privateEncrypt'),
  publicDecrypt: rsa('publicDecrypt'),
};
