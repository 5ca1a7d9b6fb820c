'use strict';

/** The library lists the functions of `Atomics` while it loads, which contexts do not have. */
function loadLibrary() {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'Atomics');
  Object.defineProperty(globalThis, 'Atomics', { value: {}, configurable: true });
  try {
    return require('node-inspect-extracted');
  } finally {
    if (before === undefined) delete globalThis.Atomics;
    else Object.defineProperty(globalThis, 'Atomics', before);
  }
}

const { inspect, format, formatWithOptions, stripVTControlCharacters } = loadLibrary();

/** Rows as text; the frame that terminals are shown is of no use in a log. */
function table(data) {
  return inspect(data, { compact: false, breakLength: 120 });
}

module.exports = { inspect, format, formatWithOptions, stripVTControlCharacters, table };
