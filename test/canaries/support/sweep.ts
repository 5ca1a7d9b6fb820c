import { everybodys, requestFor } from '#test/access/support/everyRoute.ts';
import { operationsOf } from '#test/fuzz/support/document.ts';
import type { OpenApiDocument, Operation, Schema } from '#test/fuzz/support/document.ts';
import type { Canaries, CanaryKind } from '#test/canaries/support/canary.ts';
import type { Asking, Subject } from '#test/canaries/support/subject.ts';
import { randomId } from '#src/identifiers.ts';

type Place = readonly (string | number)[];
type Permission = { type: string; application_types: string[] };
type Kind = Parameters<Canaries['make']>[0];
type Sent = { target: string; body: unknown };

const kinds: readonly Kind[] = ['card', 'text', 'account'] satisfies CanaryKind[];

/** Headers that clients and what stands before the service send, beside those that are documented. */
const everyHeader = [
  'BT-TRACE-ID',
  'BT-IDEMPOTENCY-KEY',
  'BT-API-KEY',
  'BT-PROXY-KEY',
  'BT-PROXY-URL',
  'Authorization',
  'Cookie',
  'User-Agent',
  'Referer',
  'Origin',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Request-Id',
  'traceparent',
  'Accept',
  'Accept-Language',
  'Content-Type',
  'If-Match',
  'X-Unknown',
];

/** Members that are kept in clear by definition. What is refused in them is hunted all the same. */
const inClear = new Set([
  ...['name', 'description', 'display_name', 'metadata', 'containers', 'container', 'mask', 'id', 'email'],
  ...['search_indexes', 'fingerprint_expression', 'url', 'code', 'destination_url', 'conditions', 'settings'],
]);

/** How many spots were sent what. */
export type Swept = { routes: number; spots: number };

/**
 * Sends a canary in every path parameter, query parameter, header and body member of every published route, and in
 * bodies that are wrong in every way.
 * @param every one of so many spots is asked; 1 asks all
 */
export async function sweep(subject: Subject, every = 1): Promise<Swept> {
  const { ask } = subject;
  const document = (await ask<OpenApiDocument>('GET', '/openapi.json')).body;
  const permissions = (
    await ask<Permission[]>('GET', '/permissions', { key: subject.keys.management, shows: true })
  ).body;
  const operations = operationsOf(document);
  const swept = { routes: operations.length, spots: 0 };
  let turn = 0;
  for (const operation of operations) {
    const key = keyFor(operation, subject, permissions);
    for (const attempt of attemptsAt(operation, document, subject)) {
      turn += 1;
      if (turn % every !== 0) continue;
      swept.spots += 1;
      const kind = kinds[swept.spots % kinds.length] as Kind;
      const canary = subject.canaries.make(kind, `${operation.name}: ${attempt.spot}`, attempt.named);
      const { target, ...asking } = attempt.with(canary);
      const own = { ...(key === undefined ? {} : { key }), ...asking };
      const reply = await ask(operation.method, target, own).catch(() => undefined);
      if (attempt.member !== undefined && inClear.has(attempt.member) && (reply?.status ?? 0) < 300) {
        subject.canaries.release(canary);
      }
    }
  }
  return swept;
}

type Attempt = {
  spot: string;
  /** The topmost member of the body that holds the canary, where it may be accepted. */
  member?: string;
  /** Whether it stands where callers put names and ids of their own. */
  named?: boolean;
  with(canary: string): Asking & { target: string };
};

function* attemptsAt(
  operation: Operation,
  document: OpenApiDocument,
  subject: Subject,
): Generator<Attempt, void, void> {
  const { target, body } = sentTo(operation, subject);
  const harmless = operation.method === 'DELETE' ? absent(operation) : target;
  const right = body === undefined ? {} : { body };
  for (const { name } of operation.pathParameters) {
    yield {
      spot: `path parameter ${name}`,
      with: (canary) => ({ target: absent(operation, name, canary), ...right }),
    };
  }
  for (const name of [...operation.query.map((parameter) => parameter.name), 'unknown']) {
    yield {
      spot: `query parameter ${name}`,
      with: (canary) => ({ target: `${harmless}?${encodeURIComponent(name)}=${canary}`, ...right }),
    };
  }
  yield {
    spot: 'name of a query parameter',
    named: true,
    with: (canary) => ({ target: `${harmless}?${canary}=1`, ...right }),
  };
  for (const name of new Set([...operation.headers.map((header) => header.name), ...everyHeader])) {
    yield {
      spot: `header ${name}`,
      named: name.toUpperCase() === 'BT-TRACE-ID',
      with: (canary) => ({ target: harmless, ...right, headers: { [name]: canary } }),
    };
  }
  for (const { schema } of operation.bodies.slice(0, 1)) {
    yield* bodiesWith(target, body ?? {}, membersOf(document, schema));
  }
}

/** Bodies that hold the canary in each member, right or not, and some that are no body at all. */
function* bodiesWith(
  target: string,
  body: unknown,
  places: readonly Place[],
): Generator<Attempt, void, void> {
  for (const place of places) {
    const spot = place.join('.');
    const member = place.map(String).findLast((part) => inClear.has(part)) ?? String(place[0]);
    const named = member === 'permissions';
    yield {
      spot: `body ${spot}`,
      member,
      named,
      with: (canary) => ({ target, body: put(body, place, canary) }),
    };
    yield {
      spot: `body ${spot}, beside an unknown member`,
      member,
      named,
      with: (canary) => ({ target, body: put(put(body, place, canary), ['not_known'], 1) }),
    };
    yield {
      spot: `body ${spot}, as an object in an array`,
      member,
      with: (canary) => ({ target, body: put(body, place, [{ nested: canary }]) }),
    };
  }
  yield { spot: 'an unknown member', with: (canary) => ({ target, body: put(body, ['not_known'], canary) }) };
  yield { spot: 'a text as the body', member: 'data', with: (canary) => ({ target, body: canary }) };
  yield { spot: 'an array as the body', with: (canary) => ({ target, body: [canary, { a: canary }] }) };
  yield {
    spot: 'JSON that ends too soon',
    with: (canary) => ({ target, raw: `{"data":{"number":"${canary}` }),
  };
  yield { spot: 'JSON with a wrong token', with: (canary) => ({ target, raw: `{"number":${canary}x}` }) };
  yield {
    spot: 'a body of another type',
    with: (canary) => ({ target, raw: `number=${canary}`, headers: { 'Content-Type': 'text/plain' } }),
  };
  yield {
    spot: 'a form',
    with: (canary) => ({
      target,
      raw: `number=${canary}`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    }),
  };
}

/** The request that would be right. */
function sentTo(operation: Operation, { owned }: Subject): Sent {
  const { name, method, path, bodies } = operation;
  if (everybodys.some((open) => path.startsWith(open)) || path.startsWith('/proxy')) {
    return { target: absent(operation), body: undefined };
  }
  const published = {
    ...{ name, method, path },
    operation: { parameters: [], ...(bodies.length === 0 ? {} : { requestBody: {} }) },
  };
  return requestFor(published, owned);
}

/** The path about things that are not there; of a thing that has no id, what nobody has. */
function absent({ name, path }: Operation, parameter?: string, value?: string): string {
  if (name === 'DELETE /tenants/self') return '/tenants/self/nothing';
  return path.replace(/\{(\w+)\}/g, (_, found: string) =>
    found === parameter && value !== undefined ? value : randomId(),
  );
}

function keyFor({ permission }: Operation, { keys }: Subject, permissions: Permission[]): string | undefined {
  const types = permissions.find(({ type }) => type === permission)?.application_types;
  if (types === undefined || types.includes('private')) return undefined;
  return types.includes('management') ? keys.management : keys.public;
}

/** Deeper members are not sent one by one. */
const deepest = 5;

/** Where the members of a body are: what an array holds stands at 0, any name of a dictionary is `any`. */
function membersOf(document: OpenApiDocument, schema: Schema, place: Place = []): Place[] {
  if (place.length > deepest) return [];
  if (schema.$ref !== undefined) {
    const referred = document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    return referred === undefined ? [] : membersOf(document, referred, place);
  }
  const below = [
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap((alternative) =>
      membersOf(document, alternative, place),
    ),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
      membersOf(document, member, [...place, name]),
    ),
    ...(schema.items === undefined ? [] : membersOf(document, schema.items, [...place, 0])),
    ...(typeof schema.additionalProperties === 'object'
      ? membersOf(document, schema.additionalProperties, [...place, 'any'])
      : []),
  ];
  const all = place.length === 0 ? below : [place, ...below];
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}

/** A copy with the value in this place. */
function put(whole: unknown, [first, ...rest]: Place, value: unknown): unknown {
  if (first === undefined) return value;
  if (typeof first === 'number') {
    const copy: unknown[] = Array.isArray(whole) ? [...(whole as unknown[])] : [];
    copy[first] = put(copy[first], rest, value);
    return copy;
  }
  const copy = typeof whole === 'object' && whole !== null && !Array.isArray(whole) ? whole : {};
  return { ...copy, [first]: put((copy as Record<string, unknown>)[first], rest, value) };
}
