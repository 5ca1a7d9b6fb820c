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

module.exports = function makeOutcomes(primordials, makeThrown, headers, limits) {
  const { create, RangeError, stringify } = primordials;
  const tooLarge = 'l';
  const membersOf = create(null);
  membersOf.message = create(null);
  membersOf.message.headers = true;
  membersOf.message.body = true;
  membersOf.message.raw = true;
  membersOf.result = create(null);
  membersOf.result.raw = true;
  membersOf.result.tokenize = true;

  /** @param returns of the program @param isMessage whether a message is wanted of it now */
  function letOut(value, returns, isMessage) {
    const result = create(null);
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return result;
    if (returns === 'message') {
      result.headers = headers.headersIn(value);
      result.body = value.body;
    } else {
      result.tokenize = value.tokenize;
    }
    if (isMessage) result.others = headers.othersIn(value, membersOf[returns]);
    result.raw = isMessage ? headers.returnedMessage(value.raw) : value.raw;
    return result;
  }

  function returned(value, returns, isMessage) {
    let json;
    try {
      json = stringify(letOut(value, returns, isMessage));
    } catch (error) {
      // The stack, or the longest string there can be.
      if (error instanceof RangeError) return tooLarge;
      throw error;
    }
    return json.length > limits.resultLength || nestsTooDeep(json) ? tooLarge : `r${json}`;
  }

  return { returned, thrown: makeThrown(primordials, nestsTooDeep, limits.thrownLength) };
};
