'use strict';

const library = require('buffer/');
const constructible = require('./constructible.cjs');

const { Buffer } = library;

/** The library is of a time before `base64url`. */
const isUrlSafe = (encoding) => typeof encoding === 'string' && encoding.toLowerCase() === 'base64url';

const { from, byteLength, isEncoding } = Buffer;
const { toString, write } = Buffer.prototype;

Object.assign(
  Buffer,
  constructible({
    from: (value, encoding, length) =>
      isUrlSafe(encoding) ? from(value, 'base64') : from(value, encoding, length),
    byteLength: (value, encoding) => byteLength(value, isUrlSafe(encoding) ? 'base64' : encoding),
    isEncoding: (encoding) => isUrlSafe(encoding) || isEncoding(encoding),
  }),
);
Buffer.prototype.toString = function (encoding, start, end) {
  if (!isUrlSafe(encoding)) return toString.apply(this, arguments);
  return toString.call(this, 'base64', start, end).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
};
Buffer.prototype.write = function (...args) {
  return write.apply(
    this,
    args.map((argument) => (isUrlSafe(argument) ? 'base64' : argument)),
  );
};

function atob(text) {
  const compact = String(text).replace(/[\t\n\f\r ]/g, '');
  const isBase64 = /^[A-Za-z0-9+/]*={0,2}$/.test(compact) && compact.replace(/=+$/, '').length % 4 !== 1;
  if (!isBase64) throw invalidCharacter('The string to be decoded is not correctly encoded.');
  return Buffer.from(compact, 'base64').toString('latin1');
}

function btoa(value) {
  const text = String(value);
  for (let i = 0; i < text.length; i += 1) {
    if (text.charCodeAt(i) > 255) throw invalidCharacter('Invalid character');
  }
  return Buffer.from(text, 'latin1').toString('base64');
}

function invalidCharacter(message) {
  const error = new Error(message);
  error.name = 'InvalidCharacterError';
  error.code = 5;
  return error;
}

module.exports = {
  Buffer,
  SlowBuffer: library.SlowBuffer,
  INSPECT_MAX_BYTES: 50,
  kMaxLength: library.kMaxLength,
  constants: { MAX_LENGTH: library.kMaxLength, MAX_STRING_LENGTH: 536_870_888 },
  atob,
  btoa,
};
