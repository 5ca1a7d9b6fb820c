const word = '[a-z0-9](?:[a-z0-9_-]{0,99})';
const path = new RegExp(`^${word}(?:/${word})*$`);
const key = new RegExp(`^${word}(?:/${word})*(?:\\.[a-z]{1,10})?$`);

/**
 * Keys become paths of files and parts of URLs: what could mean something else there is none.
 * @throws TypeError
 */
export function checkKey(text: string): void {
  if (text.length > 500 || !key.test(text)) throw new TypeError('not the key of an object');
}

export const isKey = (text: string): boolean => text.length <= 500 && key.test(text);

/** @throws TypeError */
export function checkPath(text: string): void {
  if (text.length > 500 || !path.test(text)) throw new TypeError('not the path of objects');
}
