'use strict';

const deepest = 64;

/** Whether JSON is nested deeper than is let out. A scan, since recursion is what depth would exhaust. */
function nestsTooDeep(json) {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < json.length; i += 1) {
    const character = json[i];
    if (quoted) {
      if (character === '\\') i += 1;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > deepest) return true;
    } else if (character === '}' || character === ']') depth -= 1;
  }
  return false;
}

module.exports = function makeOutcomes(primordials, makeThrown, limits) {
  const { create, RangeError, stringify } = primordials;
  const tooLarge = 'l';

  function returned(value, isMessage) {
    const result = create(null);
    if ((typeof value === 'object' && value !== null) || typeof value === 'function') {
      if (isMessage) {
        result.headers = value.headers;
        result.body = value.body;
      } else {
        result.raw = value.raw;
        result.tokenize = value.tokenize;
      }
    }
    let json;
    try {
      json = stringify(result);
    } catch (error) {
      // The stack, or the longest string there can be.
      if (error instanceof RangeError) return tooLarge;
      throw error;
    }
    return json.length > limits.resultLength || nestsTooDeep(json) ? tooLarge : `r${json}`;
  }

  return { returned, thrown: makeThrown(primordials, nestsTooDeep, limits.thrownLength) };
};
