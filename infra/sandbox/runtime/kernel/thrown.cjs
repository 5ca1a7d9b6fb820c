'use strict';

const longestName = 200;
const carried = ['status', 'errors', 'headers', 'body'];

/**
 * Makes JSON of whatever was thrown. Every member is read once at most, since reading may run code of the tenant;
 * the stack is never read.
 */
module.exports = function makeThrown({ create, slice, stringify, String }, nests, limit) {
  function read(value, name) {
    try {
      return value[name];
    } catch {
      return undefined;
    }
  }

  function textOf(value) {
    try {
      return String(value);
    } catch {
      return '';
    }
  }

  /** Nothing when there is no JSON of it; `l` when there is too much. */
  function jsonOf(value, room) {
    try {
      const text = stringify(value);
      return text !== undefined && (text.length > room || nests(text)) ? 'l' : text;
    } catch {
      return undefined;
    }
  }

  function cut(value, length) {
    const text = typeof value === 'string' ? value : textOf(value);
    return text.length > length ? slice(text, 0, length) : text;
  }

  return function thrown(value) {
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
    const result = create(null);
    const name = isObject ? read(value, 'name') : undefined;
    const message = isObject ? read(value, 'message') : value;
    result.name = typeof name === 'string' && name !== '' ? cut(name, longestName) : 'Error';
    // A character may take six in JSON.
    const longestMessage = (limit - 6 * longestName) / 12;
    result.message = isObject && typeof message !== 'string' ? '' : cut(message, longestMessage);
    const head = stringify(result);
    let json = slice(head, 0, head.length - 1);
    for (let i = 0; isObject && i < carried.length; i += 1) {
      const text = jsonOf(read(value, carried[i]), limit - json.length - carried[i].length - 5);
      // Put together as text: an object made again could have been given a `toJSON` by the code.
      // A response must be whole; of an error the rest is told.
      if (text === 'l' && result.name === 'CustomHttpResponseError') return 'l';
      if (text !== undefined && text !== 'l') json += `,"${carried[i]}":${text}`;
    }
    return `t${json}}`;
  };
};
