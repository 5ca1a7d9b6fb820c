'use strict';

const { Buffer } = require('buffer');
const outside = require('holdfast:outside');

/** Asks the host's cryptography. */
function call(operation, request) {
  const answer = JSON.parse(outside.crypto(JSON.stringify({ operation, ...request })));
  if (answer.error === undefined) return answer.value;
  const { message, code, name } = answer.error;
  const kinds = { RangeError, TypeError };
  const error = new (kinds[name] ?? Error)(message);
  if (code !== undefined) error.code = code;
  throw error;
}

function bytes(data, encoding) {
  if (typeof data === 'string') return Buffer.from(data, encoding === 'buffer' ? 'utf8' : encoding);
  if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (data instanceof ArrayBuffer) return Buffer.from(data);
  throw Object.assign(
    new TypeError('The data must be of type string or an instance of Buffer, TypedArray, or DataView.'),
    { code: 'ERR_INVALID_ARG_TYPE' },
  );
}

const base64 = (data, encoding) => bytes(data, encoding).toString('base64');
const fromBase64 = (text) => Buffer.from(text, 'base64');

/** Bytes as Node gives them: a buffer, or a string where an encoding was asked for. */
function output(buffer, encoding) {
  return encoding === undefined || encoding === 'buffer' ? buffer : buffer.toString(encoding);
}

/** The variant of a function that calls back, whose failures of the moment are thrown as Node throws them. */
function callingBack(work) {
  return (...args) => {
    const callback = args.pop();
    if (typeof callback !== 'function') {
      throw Object.assign(new TypeError('The "callback" argument must be of type function.'), {
        code: 'ERR_INVALID_ARG_TYPE',
      });
    }
    let result;
    try {
      result = work(...args);
    } catch (error) {
      queueMicrotask(() => callback(error));
      return;
    }
    queueMicrotask(() => callback(null, result));
  };
}

module.exports = { base64, bytes, call, callingBack, fromBase64, output };
