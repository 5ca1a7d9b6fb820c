'use strict';

const library = require('querystring-es3');
const constructible = require('./constructible.cjs');

/** Node leaves what is malformed as it is, where the library throws. */
function unescape(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
      Buffer.from(bytes.replace(/%/g, ''), 'hex').toString('utf8'),
    );
  }
}

function parse(text, separator = '&', equals = '=', { maxKeys = 1000, decodeURIComponent: own } = {}) {
  const result = Object.create(null);
  if (typeof text !== 'string' || text === '') return result;
  const decode = own ?? module.exports.unescape;
  const pairs = text.split(separator);
  for (const pair of maxKeys > 0 ? pairs.slice(0, maxKeys) : pairs) {
    if (pair === '') continue;
    const at = pair.indexOf(equals);
    const [name, value] = [
      at < 0 ? pair : pair.slice(0, at),
      at < 0 ? '' : pair.slice(at + equals.length),
    ].map((part) => decode(part.replace(/\+/g, ' ')));
    if (!(name in result)) result[name] = value;
    else if (Array.isArray(result[name])) result[name].push(value);
    else result[name] = [result[name], value];
  }
  return result;
}

const { stringify } = library;
const escape = encodeURIComponent;

module.exports = constructible({ parse, decode: parse, stringify, encode: stringify, escape, unescape });
