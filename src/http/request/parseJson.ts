import { isExact, mayHoldInexactNumbers } from '#http/request/exactNumber.ts';
import { invalid, noFaults, refuseIfAny } from '#http/validation/faults.ts';
import { textFaults } from '#http/validation/text.ts';

/** Arrays and objects inside each other. */
export const depthLimit = 64;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * A JSON value from the bytes of a body. `__proto__` is a name like others; of equal names the last one counts.
 * @throws ValidationFailed naming the path of what cannot be taken
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) throw invalid('body', 'is required, as JSON');
  if (nestsDeeperThan(depthLimit, bytes)) {
    throw invalid('body', `must be nested to a depth of at most ${depthLimit} levels`);
  }
  const value = parse(decode(bytes));
  const faults = noFaults();
  textFaults(value, '', faults);
  refuseIfAny(faults);
  return value;
}

/**
 * Looks at the bytes, before anything is built from them: what follows may recurse, and a body of half a million
 * brackets costs a millisecond here.
 */
function nestsDeeperThan(limit: number, bytes: Uint8Array): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (inString) {
      if (byte === backslash) index += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > limit) return true;
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  }
  return false;
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid('body', 'must be encoded in UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return parseMarked(text);
  } catch (error) {
    throw invalid('body', `must be valid JSON${place(error)}`);
  }
}

/** A JSON value in which NaN stands for a number that a double would change. @throws SyntaxError */
export const parseMarked = (text: string): unknown =>
  mayHoldInexactNumbers(text) ? JSON.parse(text, markInexact) : JSON.parse(text);

/**
 * JSON has no NaN: it marks a number that is not taken, until the path of it is known.
 * @param context of which the types of the library do not know yet
 */
function markInexact(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || !Number.isFinite(value)) return value;
  return isExact(value, context?.source ?? '') ? value : Number.NaN;
}

/** Where a parser stumbled. Its message is not passed on: it quotes the text. */
function place(error: unknown): string {
  const position = error instanceof Error ? / at position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined ? '' : `; it is not at character ${position}`;
}
