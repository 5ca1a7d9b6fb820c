import { timingSafeEqual } from 'node:crypto';

/** Whether two signatures are the same, in a time that does not tell how much of them is. */
export function isSameSignature(given: Uint8Array, expected: Uint8Array): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
