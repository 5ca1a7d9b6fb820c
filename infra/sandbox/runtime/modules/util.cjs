'use strict';

const library = require('util/');
const constructible = require('./constructible.cjs');
const { TextDecoder, TextEncoder } = require('./encoding.cjs');
const { format, formatWithOptions, inspect, stripVTControlCharacters } = require('./inspect.cjs');

const custom = Symbol.for('nodejs.util.promisify.custom');

/** As Node's, which knows the promises of functions whose callbacks are not the last argument, or are given two results. */
function promisify(original) {
  const own = original?.[custom];
  return typeof own === 'function' ? own : library.promisify(original);
}
promisify.custom = custom;

function promises(owner, name, own) {
  if (typeof owner[name] === 'function') Object.defineProperty(owner[name], custom, { value: own });
}
promises(
  globalThis,
  'setTimeout',
  (delay, value) => new Promise((resolve) => setTimeout(resolve, delay, value)),
);
promises(
  globalThis,
  'setImmediate',
  (value) => new Promise((resolve) => globalThis.setImmediate(resolve, value)),
);

/** The library's `inspect` knows neither maps nor classes. */
module.exports = constructible({
  ...library,
  TextDecoder,
  TextEncoder,
  format,
  formatWithOptions,
  inspect,
  promisify,
  stripVTControlCharacters,
  isDeepStrictEqual: (left, right) => inspectAll(left) === inspectAll(right),
});

function inspectAll(value) {
  const everything = {
    depth: null,
    maxArrayLength: null,
    maxStringLength: null,
    showHidden: false,
    sorted: true,
  };
  return inspect(value, everything);
}
