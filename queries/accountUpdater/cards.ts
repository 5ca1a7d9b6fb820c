import { isObject } from '#domain/token/types/tokenType.ts';
import type { LiveToken } from '#domain/token/state.ts';
import type { JsonObject } from '#ports/json.ts';
import { rowByKey } from '#ports/readModels.ts';
import type { StoredPayload } from '#ports/vault.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { foldToken } from '#queries/token/get.ts';
import { tokenColumns, tokenOf } from '#queries/token/row.ts';
import type { TokenRow } from '#queries/token/row.ts';
import { hasExpired } from '#src/expiry.ts';
import { readTokenPayload, tokenPayload } from '#src/payloads.ts';

/** A card token with what the vault has of it, security code apart. */
export type CardToken = { token: LiveToken; data: JsonObject };

const among = `unnest($2::text[]) as wanted (id)
    cross join ${rowByKey('read_models.tokens', 'wanted.id')} as token
    where token.type = 'card'`;

type CardRow = Pick<TokenRow, 'key' | 'payload_id' | 'expires_at'>;

/** A job looks at all its tokens, and few of them are renewed: of the others no more is read than is needed. */
const cards = {
  name: 'cards',
  text: `select token.id as key, token.payload_id, token.expires_at from ${among}`,
};

const tokens = {
  name: 'card_tokens',
  text: `select ${tokenColumns} from ${among}`,
};

type Dependencies = Pick<QueryDependencies, 'readModels' | 'vault' | 'log' | 'clock'>;

/**
 * The data of the card tokens of a tenant among these ids; others are missing. They are for the networks, and nobody
 * else.
 * @throws StoreUnavailable, IntegrityError, TenantKeysMissing
 */
export async function readCards(
  dependencies: Dependencies,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, JsonObject>> {
  const { readModels, vault, clock } = dependencies;
  const rows = await readModels.rows<CardRow>(tenantId, cards, [ids]);
  const live = rows.filter(({ expires_at }) => !hasExpired({ expiresAt: expires_at ?? undefined }, clock));
  const payloads = await vault.read(
    tenantId,
    live.map(({ key, payload_id }) => tokenPayload(tenantId, { id: key, payloadId: payload_id })),
  );
  const found = new Map<string, JsonObject>();
  for (const [index, { key }] of live.entries()) {
    const data = (await dataOf(payloads[index])) ?? (await readCard(dependencies, tenantId, key))?.data;
    if (data !== undefined) found.set(key, data);
  }
  return found;
}

/**
 * The same tokens without their data.
 * @throws StoreUnavailable
 */
export async function readCardTokens(
  { readModels }: Pick<Dependencies, 'readModels'>,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, LiveToken>> {
  const rows = await readModels.rows<TokenRow>(tenantId, tokens, [ids]);
  return new Map(rows.map((row) => [row.key, tokenOf(row)]));
}

/**
 * One of them, as its stream tells: views may be behind. Undefined: the tenant has no such token, or it is no card.
 * @throws StoreUnavailable, IntegrityError, TenantKeysMissing
 */
export async function readCard(
  { log, vault, clock }: Omit<Dependencies, 'readModels'>,
  tenantId: string,
  id: string,
): Promise<CardToken | undefined> {
  const state = await foldToken({ log }, tenantId, id);
  if (state.status !== 'live' || state.type !== 'card' || hasExpired(state, clock)) return undefined;
  const data = await dataOf(await readTokenPayload(vault, state));
  return data && { token: state, data };
}

async function dataOf(payload: StoredPayload | undefined): Promise<JsonObject | undefined> {
  const data = await payload?.data();
  return isObject(data) ? (data as JsonObject) : undefined;
}
