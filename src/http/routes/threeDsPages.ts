import Type from 'typebox';
import { systemContext } from '#commands/systemContext.ts';
import type { ThreeDsDependencies } from '#commands/threeDs/card.ts';
import { completeThreeDsChallenge } from '#commands/threeDs/completeChallenge.ts';
import { page } from '#http/pages.ts';
import { defineRoute } from '#http/route.ts';
import type { Answer, Route } from '#http/route.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { getThreeDsSession } from '#queries/threeDs/get.ts';
import { NotFound } from '#src/errors.ts';
import { challengeOf, challengePath, methodPath } from '#src/orchestration/challengePage.ts';
import { isProof } from '#src/orchestration/proof.ts';

const open = { method: 'GET', authenticated: false, tags: [], documented: false, responses: {} } as const;
const actor = { type: 'system', id: '3ds sandbox' } as const;
const answers = Type.Optional(Type.Union([Type.Literal('completed'), Type.Literal('cancelled')]));

/** Pages of the sandbox's issuer, which shops show in a frame to buyers, who have no key. */
export const threeDsPageRoutes = (dependencies: RouteDependencies & ThreeDsDependencies): Route[] => [
  defineRoute({
    ...open,
    path: methodPath,
    summary: 'What a browser shows unseen before an authentication',
    handle: () => Promise.resolve(page('3-D Secure', '<p>There is nothing to be done here.</p>', framed)),
  }),
  defineRoute({
    ...open,
    path: `${challengePath}/:tenantId/:id/:proof`,
    summary: 'Where buyers answer to challenges of the sandbox',
    query: Type.Object({ answer: answers }),
    handle: async ({ params: { tenantId, id, proof }, query: { answer } }) => {
      const session = await getThreeDsSession(dependencies, tenantId, id);
      const isMadeHere = await isProof(dependencies.vault, tenantId, challengeOf(session.id), proof);
      if (!isMadeHere) throw new NotFound();
      if (session.status !== 'challenged') return over();
      if (answer === undefined) {
        return page('Confirm your payment', form, { ...framed, formTarget: "'self'" });
      }
      const cancelled = answer === 'cancelled';
      await completeThreeDsChallenge(dependencies, systemContext(tenantId, actor), id, { cancelled });
      return over();
    },
  }),
];

const framed = { isFramed: true };

const over = (): Answer =>
  page('Confirm your payment', '<p>Thank you. You may go back to the shop.</p>', framed);

const form = `<p>This is the sandbox: the card says how the challenge ends.</p>
      <form method="get">
        <button name="answer" value="completed">Continue</button>
        <button name="answer" value="cancelled">Cancel</button>
      </form>`;
