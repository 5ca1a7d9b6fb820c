import { authorizeSession } from '#commands/session/authorize.ts';
import { createSession } from '#commands/session/create.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { answer, commandContext } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { AuthorizeSession, Session } from '#http/schemas/session.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import { Forbidden } from '#src/errors.ts';

const tags = ['Sessions'];

/** Source: reference of sessions. */
export const sessionRoutes = (dependencies: RouteDependencies): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/sessions',
    summary: 'Open a session',
    description:
      'With the key of a public application. The key of the session may do nothing until a private application authorizes its nonce.',
    tags,
    audits: { entity: 'session' },
    // Every browser has the same public key, and none must get the session of another.
    idempotent: false,
    responses: { 201: Session },
    problems: [403],
    handle: async (request) => {
      requireType(request.caller, 'public');
      const created = await createSession(dependencies, commandContext(request));
      return answer(201, created, ({ session, key }) => ({
        session_key: key,
        nonce: session.id,
        expires_at: session.expiresAt,
      }));
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/sessions/authorize',
    summary: 'Authorize a session by its nonce',
    description:
      'With the key of a private application. The session may do what is said here, and never more than that application.',
    tags,
    audits: { entity: 'session', operation: 'authorize' },
    body: AuthorizeSession,
    responses: { 200: null },
    problems: [403, 404, 409],
    handle: async (request) => {
      requireType(request.caller, 'private');
      return answer(200, await authorizeSession(dependencies, commandContext(request), request.body));
    },
  }),
];

function requireType({ type }: Caller, wanted: Caller['type']): void {
  if (type !== wanted) throw new Forbidden(`This takes the key of a ${wanted} application.`);
}
