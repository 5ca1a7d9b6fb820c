import type { LiveThreeDsSession } from '#domain/threeDs/state.ts';
import type { Vault } from '#ports/vault.ts';
import { proofOf } from '#src/orchestration/proof.ts';

/** The page on which buyers answer to challenges of the sandbox. */
export const challengePath = '/3ds/sandbox/challenge';
/** The hidden page that a browser shows before an authentication. */
export const methodPath = '/3ds/sandbox/method';

export const challengeOf = (sessionId: string): string => `challenge of 3-D Secure session ${sessionId}`;

/** Where the buyer answers; undefined: there is nothing to answer. */
export async function challengeUrlOf(
  { vault, publicUrl }: { vault: Vault; publicUrl: string },
  session: LiveThreeDsSession,
): Promise<string | undefined> {
  if (session.status !== 'challenged') return undefined;
  const { tenantId, id } = session;
  const proof = await proofOf(vault, tenantId, challengeOf(id));
  return `${publicUrl}${challengePath}/${tenantId}/${id}/${proof}`;
}
