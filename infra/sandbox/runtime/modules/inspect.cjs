'use strict';

const { inspect, format, formatWithOptions, stripVTControlCharacters } = require('node-inspect-extracted');

/** Rows as text; the frame that terminals are shown is of no use in a log. */
function table(data) {
  return inspect(data, { compact: false, breakLength: 120 });
}

module.exports = { inspect, format, formatWithOptions, stripVTControlCharacters, table };
