import type { HttpContext } from '#http/context.ts';
import { hasBody } from '#http/request/contentType.ts';
import type { IncomingRequest } from '#http/route.ts';

/** A request as it comes. */
export function incomingOf(context: HttpContext): IncomingRequest {
  const { method, path, querystring: query, req } = context;
  const { rawHeaders } = req;
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
  );
  return { method, path, query, headers, body: bodyOf(context), gone: goneOf(context) };
}

function bodyOf({ req, state: { lent } }: HttpContext): AsyncIterable<Uint8Array> | undefined {
  if (lent !== undefined) return lent.body.length === 0 ? undefined : once(lent.body);
  // Left early, a request that is destroyed could not be answered.
  return hasBody(req.headers) ? req.iterator({ destroyOnReturn: false }) : undefined;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function goneOf({ res }: HttpContext): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    controller.abort(new Error('the client is gone'));
  });
  return controller.signal;
}
