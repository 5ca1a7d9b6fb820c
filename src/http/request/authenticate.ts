import type { HttpContext } from '#http/context.ts';
import type { AccessDirectory, Caller } from '#ports/accessDirectory.ts';
import { Unauthenticated } from '#src/errors.ts';

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

/** Whether a request says who makes it, rightly or wrongly. */
export const showsKey = ({ req, state }: HttpContext): boolean =>
  state.lent !== undefined || req.headers['bt-api-key'] !== undefined;
