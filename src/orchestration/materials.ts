import { recordTokenUse } from '#commands/recordUse.ts';
import type { CommandContext } from '#commands/context.ts';
import { joinShortLived } from '#access/shortLived.ts';
import type { Transaction } from '#domain/transaction/state.ts';
import { tokenTypeOf } from '#domain/token/types/index.ts';
import type { Json } from '#ports/json.ts';
import { foldToken } from '#queries/token/get.ts';
import { NotFound } from '#src/errors.ts';
import { hasExpired } from '#src/expiry.ts';
import { authenticationOf } from '#src/orchestration/authentication.ts';
import type { Materials } from '#src/orchestration/calls.ts';
import { paymentCardOf } from '#src/orchestration/card.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { returnUrlOf } from '#src/orchestration/returnUrl.ts';
import { readTokenPayload } from '#src/payloads.ts';

/**
 * The materials of an authorization that was admitted before; its card may be gone since. Where it is not needed it is
 * left alone.
 */
export async function materialsOf(
  dependencies: PaymentDependencies,
  context: CommandContext,
  transaction: Transaction,
  { withCard }: { withCard: boolean },
): Promise<Materials> {
  const { tenantId, tokenId, threeDSessionId } = transaction;
  const data = withCard ? await cardDataOf(dependencies, tenantId, tokenId) : undefined;
  const card = data === undefined ? undefined : paymentCardOf(data, transaction);
  if (card !== undefined) await recordTokenUse(dependencies, context, tokenId, 'reveal');
  const authentication = await authenticationOf(dependencies, tenantId, threeDSessionId).catch(
    (error: unknown) => {
      if (error instanceof NotFound) return undefined;
      throw error;
    },
  );
  return { card, authentication, returnUrl: await buyersWayBack(dependencies, transaction) };
}

/** Without a buyer, nobody could approve. */
export const buyersWayBack = (
  dependencies: PaymentDependencies,
  transaction: Pick<Transaction, 'tenantId' | 'id' | 'merchantInitiated'>,
): Promise<string | undefined> =>
  transaction.merchantInitiated ? Promise.resolve(undefined) : returnUrlOf(dependencies, transaction);

async function cardDataOf(
  dependencies: PaymentDependencies,
  tenantId: string,
  tokenId: string,
): Promise<Json | undefined> {
  const token = await foldToken(dependencies, tenantId, tokenId);
  if (token.status !== 'live' || hasExpired(token, dependencies.clock)) return undefined;
  const payload = await readTokenPayload(dependencies.vault, token);
  if (payload === undefined) return undefined;
  const shortLived = await payload.shortLived();
  return joinShortLived(tokenTypeOf(token), await payload.data(), shortLived?.value);
}
