'use strict';

const { base64, call, callingBack, fromBase64 } = require('./bridge.cjs');
const { KeyObject, material } = require('./keyObject.cjs');

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

Object.defineProperty(generateKeyPair, Symbol.for('nodejs.util.promisify.custom'), {
  value: (type, options) =>
    new Promise((resolve, reject) => {
      generateKeyPair(type, options, (error, publicKey, privateKey) => {
        if (error) reject(error);
        else resolve({ publicKey, privateKey });
      });
    }),
});

module.exports = {
  KeyObject,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPair,
  generateKeyPairSync,
  generateKeySync,
};
