import type { HttpContext, HttpMiddleware } from '#http/context.ts';

/** Between two preflights for the same request, in seconds; browsers have lower limits of their own (Chromium: 7,200). */
const preflightAge = '86400';
const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** Headers of answers that a page may look at, beside those that any may. */
const exposed = [
  'BT-TRACE-ID',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Holdfast-Stale',
  'Holdfast-Warnings',
].join(', ');

const headerNames = /^[\w!#$%&'*+.^`|~, -]{1,4000}$/;
/** A key that belongs on servers says so itself. */
const serverKey = /^key_[A-Za-z0-9]{1,32}_(?:pvt|mgt)_/;

/**
 * Lets pages of any origin call with keys that may be in a browser, and read the answers. There are no cookies that a
 * page could abuse, so an origin decides nothing but where an application names its own. Source: the Fetch standard,
 * CORS protocol; decision 61.
 */
export const crossOrigin: HttpMiddleware = async (context, next) => {
  if (isPreflight(context)) {
    answerPreflight(context);
    return;
  }
  await next();
  if (context.req.headers.origin === undefined || !mayBeRead(context)) return;
  context.set('Access-Control-Allow-Origin', '*');
  context.set('Access-Control-Expose-Headers', exposed);
};

const isPreflight = ({ method, req: { headers } }: HttpContext): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** It carries no key, so nothing is known of who will call: the answer to the call itself decides. */
function answerPreflight(context: HttpContext): void {
  const asked = context.req.headers['access-control-request-headers'];
  context.state.route = 'preflight';
  context.set('Access-Control-Allow-Origin', '*');
  context.set('Access-Control-Allow-Methods', methods);
  context.set(
    'Access-Control-Allow-Headers',
    typeof asked === 'string' && headerNames.test(asked) ? asked : '*',
  );
  context.set('Access-Control-Max-Age', preflightAge);
  context.status = 204;
}

/** Never an answer to a key of a server, nor what is shown without any key: the network of a browser is not the world. */
function mayBeRead({ state, status, req }: HttpContext): boolean {
  const { caller, takesKey } = state;
  if (caller !== undefined) return caller.type === 'public' || caller.type === 'session';
  if (takesKey === true && status === 401) return true;
  const key = req.headers['bt-api-key'];
  if (typeof key === 'string' && serverKey.test(key)) return false;
  return takesKey === true || status >= 400;
}
