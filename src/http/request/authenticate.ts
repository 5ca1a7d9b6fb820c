import type { HttpContext } from '#http/context.ts';
import type { AccessDirectory, Caller } from '#ports/accessDirectory.ts';
import { Forbidden, Unauthenticated } from '#src/errors.ts';

/**
 * Who calls. A missing, malformed, unknown, revoked or expired key gets one and the same answer: it says
 * nothing about which keys exist. spec: Authentication
 * @throws Unauthenticated
 */
export async function authenticate(
  context: HttpContext,
  directory: Pick<AccessDirectory, 'find'>,
): Promise<Caller> {
  const { lent } = context.state;
  if (lent !== undefined) return lent.caller;
  const key = context.req.headers['bt-api-key'];
  const caller = typeof key === 'string' && key !== '' ? await directory.find(key) : undefined;
  if (caller === undefined) throw new Unauthenticated();
  return caller;
}

/**
 * Where an application names its origins, pages of others are refused. Who sends no origin is no page, or one of this
 * very host.
 * @throws Forbidden
 */
export function requireOrigin({ req: { headers }, state }: HttpContext, { origins = [] }: Caller): void {
  const { origin } = headers;
  if (origin === undefined || state.lent !== undefined || origins.length === 0) return;
  if (!origins.includes(origin)) {
    throw new Forbidden("The page's origin is not among the origins of the application.");
  }
}

/** Whether a request says who makes it, rightly or wrongly. */
export const showsKey = ({ req, state }: HttpContext): boolean =>
  state.lent !== undefined || req.headers['bt-api-key'] !== undefined;
