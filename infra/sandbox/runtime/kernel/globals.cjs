'use strict';

/** Loaded when they are first touched: most code needs none of them, and contexts have to be cheap. */
const lazy = {
  Buffer: 'buffer',
  atob: 'buffer',
  btoa: 'buffer',
  URL: 'url',
  URLSearchParams: 'url',
  TextEncoder: 'encoding',
  TextDecoder: 'encoding',
  AbortController: 'abort',
  AbortSignal: 'abort',
  Event: 'abort',
  EventTarget: 'abort',
};

module.exports = function defineGlobals({ define, defineLazily, now, ownKeys }, load, given) {
  // Shared memory makes clocks of a precision that side channels need; WebAssembly has memory of its own.
  delete globalThis.WebAssembly;
  delete globalThis.SharedArrayBuffer;
  delete globalThis.Atomics;

  for (const name of ownKeys(given)) if (name !== 'nextTick') define(globalThis, name, given[name]);
  define(globalThis, 'global', globalThis);
  const began = now();
  define(globalThis, 'performance', { now: () => now() - began, timeOrigin: began });
  for (const name of ownKeys(lazy)) {
    defineLazily(globalThis, name, () => load(`holdfast:modules/${lazy[name]}`)[name]);
  }
};
