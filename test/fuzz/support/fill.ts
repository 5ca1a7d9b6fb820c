import type { Draft } from '#test/fuzz/support/requests.ts';
import type { KnownThings } from '#test/fuzz/support/known.ts';
import { isHole } from '#test/fuzz/support/values.ts';
import type { Hole } from '#test/fuzz/support/values.ts';

/** A request as it goes out. */
export type FilledRequest = {
  method: string;
  /** With its query, percent-encoded. */
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
  parameters: Record<string, string>;
};

/** Puts what the service has made into the holes of a draft. */
export function fill(draft: Draft, known: KnownThings, key: string | undefined): FilledRequest {
  const parameters = fillPath(draft, known);
  const path = draft.operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encode(parameters[name] ?? ''),
  );
  const query = draft.query.flatMap(([name, value]) => pairs(name, filled(value, known)));
  const body = bodyOf(draft, known);
  return {
    method: draft.operation.method,
    target: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: {
      ...draft.headers,
      ...(key === undefined ? {} : { 'BT-API-KEY': key }),
      ...(draft.body === undefined || draft.body.type === '' ? {} : { 'Content-Type': draft.body.type }),
    },
    body,
    parameters,
  };
}

/** The last parameter is chosen first, and those before it as they were when it was made: `keyId` has its `id`. */
function fillPath({ path, operation }: Draft, known: KnownThings): Record<string, string> {
  const chosen: Record<string, string> = {};
  for (const { name } of operation.pathParameters.toReversed()) {
    const value = path[name];
    if (value === undefined || chosen[name] !== undefined) continue;
    if (typeof value === 'string') {
      chosen[name] = value;
      continue;
    }
    const found = known.choose(name, operation.path, value.choice);
    Object.assign(chosen, found?.parameters, { [name]: found?.value ?? 'nothing' });
  }
  return chosen;
}

function filled(value: unknown, known: KnownThings): unknown {
  if (isHole(value)) return textFor(value, known);
  if (Array.isArray(value)) return value.map((item: unknown) => filled(item, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, known)]));
}

function textFor({ hole, choice, form }: Hole, known: KnownThings): string {
  const value = known.choose(hole, undefined, choice)?.value ?? `new-${choice}`;
  return form === 'expression' ? `{{ ${value} | json: "$" }}` : value;
}

function bodyOf({ body }: Draft, known: KnownThings): string | undefined {
  if (body === undefined) return undefined;
  return 'text' in body ? body.text : JSON.stringify(filled(body.value, known));
}

/** `metadata.a=b` for objects, `id=a&id=b` for lists. */
function pairs(name: string, value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => pairs(name, item));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([member, one]) => pairs(`${name}.${member}`, one));
  }
  return [`${encode(name)}=${encode(String(value))}`];
}

/** A single octet that is percent-encoded already is left as it is, right or wrong; text that has no UTF-8 becomes broken bytes. */
const encode = (text: string): string =>
  /^%([0-9a-f]{2})?$/i.test(text) ? text : text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80';
