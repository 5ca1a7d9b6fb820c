'use strict';

const library = require('util/');
const { TextDecoder, TextEncoder } = require('./encoding.cjs');
const { format, formatWithOptions, inspect, stripVTControlCharacters } = require('./inspect.cjs');

/** The library's `inspect` knows neither maps nor classes. */
module.exports = {
  ...library,
  TextDecoder,
  TextEncoder,
  format,
  formatWithOptions,
  inspect,
  stripVTControlCharacters,
  isDeepStrictEqual: (left, right) => inspectAll(left) === inspectAll(right),
};

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
