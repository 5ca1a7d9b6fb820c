'use strict';

/** As much as the HTTP libraries ask of it. */
function assert(value, message) {
  if (value) return;
  if (message instanceof Error) throw message;
  throw Object.assign(new Error(message ?? 'The expression evaluated to a falsy value'), {
    name: 'AssertionError',
    code: 'ERR_ASSERTION',
  });
}

module.exports = Object.assign(assert, {
  ok: assert,
  equal: (actual, expected, message) => assert(actual == expected, message),
  strictEqual: (actual, expected, message) => assert(Object.is(actual, expected), message),
});
