import type { HttpContext } from '#http/context.ts';
import { requireContentType } from '#http/request/contentType.ts';
import { parseJson } from '#http/request/parseJson.ts';
import { queryReader } from '#http/request/query.ts';
import { bodyReader, defaultBodyLimit } from '#http/request/readBody.ts';
import type { Route } from '#http/route.ts';
import { noFaults, refuseIfAny } from '#http/validation/faults.ts';
import { compileValidator } from '#http/validation/validator.ts';

export type Input = { params: Record<string, string>; query: unknown; body: unknown };

export type ReadInput = (context: HttpContext, params: Record<string, string>) => Promise<Input>;

/**
 * A reader of what a route is given; all that is wrong is named at once.
 * @throws UnsupportedMediaType @throws PayloadTooLarge @throws ValidationFailed
 */
export function inputReader(route: Route): ReadInput {
  const checkParams = route.params === undefined ? undefined : compileValidator(route.params);
  const readQuery = route.query === undefined ? undefined : queryReader(route.query);
  const readBody = route.body === undefined ? undefined : bodyReader(route.bodyLimit ?? defaultBodyLimit);
  const checkBody = route.body === undefined ? undefined : compileValidator(route.body);
  return async (context, params) => {
    const faults = noFaults();
    let body: unknown;
    if (readBody !== undefined) {
      requireContentType(context.req.headers, route.bodyKind);
      body = parseJson(await readBody(context));
      checkBody?.(body, faults);
    }
    checkParams?.(params, faults);
    const query = readQuery?.(context.querystring, faults);
    refuseIfAny(faults);
    return { params, query, body };
  };
}
