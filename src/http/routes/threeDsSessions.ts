import { authenticateThreeDsSession } from '#commands/threeDs/authenticate.ts';
import type { ThreeDsDependencies } from '#commands/threeDs/card.ts';
import { completeThreeDsChallenge } from '#commands/threeDs/completeChallenge.ts';
import { createThreeDsSession } from '#commands/threeDs/create.ts';
import type { Outcome } from '#commands/context.ts';
import type { LiveThreeDsSession } from '#domain/threeDs/state.ts';
import {
  presentAuthentication,
  presentCreatedThreeDsSession,
  presentThreeDsSession,
} from '#http/presenters/threeDsSession.ts';
import type { SessionExtras } from '#http/presenters/threeDsSession.ts';
import { defineRoute } from '#http/route.ts';
import type { Answer, Route } from '#http/route.ts';
import { answer, commandContext } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import {
  AuthenticateThreeDsSession,
  CompleteThreeDsChallenge,
  CreatedThreeDsSession,
  CreateThreeDsSession,
  ThreeDsAuthentication,
  ThreeDsSession,
} from '#http/schemas/threeDsSession.ts';
import { invalid } from '#http/validation/faults.ts';
import { authenticationValue, getThreeDsSession } from '#queries/threeDs/get.ts';
import { Conflicted } from '#src/errors.ts';
import { challengeUrlOf } from '#src/orchestration/challengePage.ts';

const tags = ['3-D Secure'];
const entity = '3ds_session';

/** Source: reference of 3-D Secure. */
export function threeDsSessionRoutes(
  dependencies: RouteDependencies & ThreeDsDependencies & { publicUrl: string },
): Route[] {
  const { publicUrl } = dependencies;
  const extrasOf = async (session: LiveThreeDsSession): Promise<SessionExtras> => {
    const [value, challengeUrl] = await Promise.all([
      authenticationValue(dependencies, session),
      challengeUrlOf(dependencies, session),
    ]);
    return { value, challengeUrl, publicUrl };
  };
  const answerSession = async (
    status: number,
    outcome: Outcome<LiveThreeDsSession>,
    present = presentThreeDsSession,
  ): Promise<Answer> => {
    const extras = await extrasOf(outcome.result);
    return {
      ...answer(status, outcome, (session) => present(session, extras)),
      ...(extras.value === undefined ? {} : { shown: [{ id: outcome.result.id, transform: 'reveal' }] }),
    };
  };
  const answerResult = async (outcome: Outcome<LiveThreeDsSession>): Promise<Answer> => {
    const session = outcome.result;
    if (session.status === 'created') throw new Conflicted('The session has not been authenticated.');
    const extras = await extrasOf(session);
    return {
      ...answer(200, outcome, () => presentAuthentication(session, extras)),
      shown: [{ id: session.id, transform: 'reveal' }],
    };
  };
  return [
    defineRoute({
      method: 'POST',
      path: '/3ds/sessions',
      summary: 'Open a 3-D Secure session for a card',
      description: 'Also with the key of a public application. A session lives for a day.',
      tags,
      permission: 'token:create',
      audits: { entity },
      body: CreateThreeDsSession,
      responses: { 201: CreatedThreeDsSession },
      problems: [404],
      handle: async (request) => {
        const { token_id, pan_token_id, pan, device } = request.body;
        const tokenId = token_id ?? pan_token_id ?? pan ?? undefined;
        if (tokenId === undefined) throw invalid('token_id', 'must be there');
        const context = commandContext(request);
        const created = await createThreeDsSession(dependencies, context, {
          tokenId,
          device: device ?? 'browser',
        });
        return answerSession(201, created, presentCreatedThreeDsSession);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/3ds/sessions/:id',
      summary: 'Get a 3-D Secure session',
      tags,
      permission: '3ds:session:read',
      audits: { entity },
      responses: { 200: ThreeDsSession },
      handle: async ({ caller, params }) => {
        const result = await getThreeDsSession(dependencies, caller.tenantId, params.id);
        return answerSession(200, { result, stale: false });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/3ds/sessions/:id/authenticate',
      summary: 'Authenticate the holder of the card',
      description:
        'The sandbox answers by its test cards; other cards are authenticated without a challenge.',
      tags,
      permission: '3ds:session:authenticate',
      audits: { entity, operation: 'authenticate' },
      sensitive: true,
      body: AuthenticateThreeDsSession,
      responses: { 200: ThreeDsAuthentication },
      problems: [409],
      handle: async (request) => {
        const { params, body } = request;
        const given = body.method_completion_indicator;
        const context = commandContext(request);
        return answerResult(await authenticateThreeDsSession(dependencies, context, params.id, given));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/3ds/sessions/:id/challenge-result',
      summary: 'Get what the authentication brought, after a challenge or without one',
      tags,
      permission: '3ds:session:read',
      audits: { entity },
      responses: { 200: ThreeDsAuthentication },
      problems: [409],
      handle: async ({ caller, params }) => {
        const result = await getThreeDsSession(dependencies, caller.tenantId, params.id);
        return answerResult({ result, stale: false });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/3ds/sessions/:id/challenge-result',
      summary: 'End a challenge of the sandbox, in place of the buyer',
      tags,
      permission: '3ds:session:authenticate',
      audits: { entity, operation: 'authenticate' },
      sensitive: true,
      body: CompleteThreeDsChallenge,
      responses: { 200: ThreeDsAuthentication },
      problems: [409],
      handle: async (request) => {
        const cancelled = request.body.cancelled ?? false;
        const context = commandContext(request);
        const { id } = request.params;
        return answerResult(await completeThreeDsChallenge(dependencies, context, id, { cancelled }));
      },
    }),
  ];
}
