import type { ReactorAnswer } from '#src/reactors/invocation.ts';

const jsonType = 'application/json; charset=utf-8';

/** The bytes of an answer: JSON, and texts as they are where the answer says that they are something else. */
export function contentOf({ headers, body }: ReactorAnswer): { type: string; data: string } {
  const [, named] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const type = [named].flat()[0] ?? jsonType;
  const isText = typeof body === 'string' && !/[/+]json\b/i.test(type);
  return { type, data: isText ? body : JSON.stringify(body) };
}
