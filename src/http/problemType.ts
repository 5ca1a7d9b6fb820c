const json = 'application/json; charset=utf-8';
const problemJson = 'application/problem+json';

/** The media types that problems go out in, the usual one first. */
export const problemTypes = ['application/json', problemJson] as const;

/**
 * The media type of a problem for a caller who accepts this. Client libraries look for `application/json` and read
 * nothing else; RFC 9457's own type is for callers who name it, which a wildcard does not.
 * @param accept the `Accept` header
 */
export const problemTypeFor = (accept: string | undefined): string =>
  accept !== undefined && accept.split(',').some(isProblemJson) ? problemJson : json;

function isProblemJson(range: string): boolean {
  const [type = '', ...parameters] = range.toLowerCase().split(';');
  return (
    type.trim() === problemJson && !parameters.some((parameter) => /^\s*q\s*=\s*0(\.0*)?\s*$/.test(parameter))
  );
}
