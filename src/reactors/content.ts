import type { ReactorAnswer } from '#src/reactors/invocation.ts';

const jsonType = 'application/json; charset=utf-8';
export const jsonHeaders = { 'Content-Type': jsonType } as const;

/** Marks errors inside the service; how they go out depends on the caller. */
const problemType = 'application/problem+json';
export const problemHeaders = { 'Content-Type': problemType } as const;

/** The media type that an answer gives itself; undefined: none. */
export function mediaTypeOf(headers: ReactorAnswer['headers']): string | undefined {
  const [, named] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return [named].flat()[0];
}

export const otherThanMediaType = (headers: ReactorAnswer['headers']): ReactorAnswer['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type'));

/** The bytes of an answer: JSON, and texts as they are where the answer says that they are something else. */
export function contentOf({ headers, body }: ReactorAnswer): { type: string; data: string } {
  const type = mediaTypeOf(headers) ?? jsonType;
  const isText = typeof body === 'string' && !/[/+]json\b/i.test(type);
  return { type, data: isText ? body : JSON.stringify(body) };
}

/** Whether an answer tells of an error; one that the code composed itself is a result, whatever its status. */
export const isProblem = ({ headers, isComposed }: ReactorAnswer): boolean =>
  isComposed !== true && mediaTypeOf(headers)?.toLowerCase().startsWith(problemType) === true;
