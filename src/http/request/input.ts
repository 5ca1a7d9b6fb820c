import Type from 'typebox';
import type { HttpContext } from '#http/context.ts';
import { requireContentType } from '#http/request/contentType.ts';
import { emptiesReader } from '#http/request/empties.ts';
import { parseJson } from '#http/request/parseJson.ts';
import { queryReader } from '#http/request/query.ts';
import { refusesMembers, refusesParameters } from '#http/request/refusals.ts';
import { bodyReader, defaultBodyLimit } from '#http/request/readBody.ts';
import { incomingOf } from '#http/request/incoming.ts';
import type { IncomingRequest, RawRequest, Route } from '#http/route.ts';
import { closed } from '#http/schemas/closed.ts';
import type { Faults } from '#src/errors.ts';
import { noFaults, refuseIfAny } from '#http/validation/faults.ts';
import { compileValidator } from '#http/validation/validator.ts';

export type Input = {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  raw?: RawRequest;
  incoming?: IncomingRequest;
};

export type ReadInput = (context: HttpContext, params: Record<string, string>) => Promise<Input>;

/**
 * A reader of what a route is given; all that is wrong is named at once.
 * @throws UnsupportedMediaType @throws PayloadTooLarge @throws ValidationFailed
 */
export function inputReader(route: Route): ReadInput {
  const checkParams = route.params === undefined ? undefined : compileValidator(route.params);
  const readQuery = queryReader(route.query ?? Type.Object({}), refusesParameters(route));
  const takesBody = route.body !== undefined || route.raw === true;
  const refuseBody = refusesMembers(route) ? bodyRefuser() : undefined;
  const readBody = takesBody ? bodyReader(route.bodyLimit ?? defaultBodyLimit) : undefined;
  const unset = route.method === 'PATCH' ? 'absent' : 'null';
  const dropEmpties = route.body === undefined ? undefined : emptiesReader(route.body, unset);
  const checkBody = route.body === undefined ? undefined : compileValidator(route.body);
  return async (context, params) => {
    const faults = noFaults();
    let body: unknown;
    if (readBody !== undefined && route.raw !== true) {
      requireContentType(context.req.headers, route.bodyKind);
      const bytes = await readBody(context);
      body = bytes.length === 0 && route.bodyOptional === true ? {} : parseJson(bytes);
      dropEmpties?.(body);
      checkBody?.(body, faults);
    }
    await refuseBody?.(context, faults);
    checkParams?.(params, faults);
    const query =
      route.query === undefined && !refusesParameters(route)
        ? undefined
        : readQuery(context.querystring, faults);
    refuseIfAny(faults);
    if (route.streamed === true) return { params, query, body, incoming: incomingOf(context) };
    if (readBody === undefined || route.raw !== true) return { params, query, body };
    return { params, query, body, raw: { body: await readBody(context), headers: textsOf(context) } };
  };
}

const noMembers = closed({});
const checkNoMembers = compileValidator(noMembers);
const dropNothings = emptiesReader(noMembers, 'null');

/** Adds a fault for each member that is sent where none is taken: it may ask for less than is done. */
function bodyRefuser(): (context: HttpContext, faults: Faults) => Promise<void> {
  const readBody = bodyReader(defaultBodyLimit);
  return async (context, faults) => {
    const body = jsonIn(await readBody(context));
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
    dropNothings?.(body);
    checkNoMembers(body, faults);
  };
}

/** Of a body that nobody asked for: whatever is no JSON has no members. */
function jsonIn(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch {
    return undefined;
  }
}

const textsOf = ({ req }: HttpContext): RawRequest['headers'] =>
  Object.fromEntries(
    Object.entries(req.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
