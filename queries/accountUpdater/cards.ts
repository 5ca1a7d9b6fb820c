import { isObject } from '#domain/token/types/tokenType.ts';
import type { LiveToken } from '#domain/token/state.ts';
import type { JsonObject } from '#ports/json.ts';
import type { StoredPayload } from '#ports/vault.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { foldToken } from '#queries/token/get.ts';
import { tokenColumns, tokenOf } from '#queries/token/row.ts';
import type { TokenRow } from '#queries/token/row.ts';
import { hasExpired } from '#src/expiry.ts';

/** A card token with what the vault has of it, security code apart. */
export type CardToken = { token: LiveToken; data: JsonObject };

const cards = {
  name: 'card_tokens',
  text: `select ${tokenColumns} from read_models.tokens as token
    where token.tenant_id = tenant.id and token.type = 'card' and token.id = any($2)`,
};

/**
 * The card tokens of a tenant among these ids; others are missing. They are for the networks, and nobody else.
 * @throws StoreUnavailable, IntegrityError, TenantKeysMissing
 */
export async function readCards(
  dependencies: Pick<QueryDependencies, 'readModels' | 'vault' | 'log' | 'clock'>,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, CardToken>> {
  const { readModels, vault, clock } = dependencies;
  const rows = await readModels.rows<TokenRow>(tenantId, cards, [ids]);
  const live = rows.map(tokenOf).filter((token) => !hasExpired(token, clock));
  const payloads = await vault.read(
    tenantId,
    live.map(({ payloadId }) => payloadId),
  );
  const found = new Map<string, CardToken>();
  for (const token of live) {
    const card =
      (await cardOf(token, payloads.get(token.payloadId))) ??
      (await readCard(dependencies, tenantId, token.id));
    if (card !== undefined) found.set(token.id, card);
  }
  return found;
}

/**
 * One of them, as its stream tells: views may be behind. Undefined: the tenant has no such token, or it is no card.
 * @throws StoreUnavailable, IntegrityError, TenantKeysMissing
 */
export async function readCard(
  { log, vault, clock }: Pick<QueryDependencies, 'vault' | 'log' | 'clock'>,
  tenantId: string,
  id: string,
): Promise<CardToken | undefined> {
  const state = await foldToken({ log }, tenantId, id);
  if (state.status !== 'live' || state.type !== 'card' || hasExpired(state, clock)) return undefined;
  return cardOf(state, (await vault.read(tenantId, [state.payloadId])).get(state.payloadId));
}

async function cardOf(token: LiveToken, payload: StoredPayload | undefined): Promise<CardToken | undefined> {
  const data = await payload?.data();
  return isObject(data) ? { token, data: data as JsonObject } : undefined;
}
