import { hasExpired } from '#src/expiry.ts';
import { transformFor } from '#access/evaluate.ts';
import type { Rights } from '#access/evaluate.ts';
import { showToken } from '#access/showToken.ts';
import type { ShownToken } from '#access/showToken.ts';
import type { TenantSettings } from '#domain/tenant/state.ts';
import { tokenStream } from '#domain/token/events.ts';
import { foldStream } from '#domain/fold.ts';
import { readEventsToFold } from '#src/eventsToFold.ts';
import { tokenFold } from '#domain/token/state.ts';
import type { LiveToken, TokenState } from '#domain/token/state.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import { rowByKey } from '#ports/readModels.ts';
import type { KeyedQuery } from '#ports/readModels.ts';
import { Forbidden, NotFound } from '#src/errors.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { enrichmentsOf } from '#queries/token/enrichments.ts';
import { tokenColumns, tokenOf } from '#queries/token/row.ts';
import type { TokenRow } from '#queries/token/row.ts';
import { readTokenPayload } from '#src/payloads.ts';

const byId: KeyedQuery = {
  name: 'token_by_id',
  text: `select ${tokenColumns} from unnest($2::text[]) as wanted (id)
    cross join ${rowByKey('read_models.tokens', 'wanted.id')} as token`,
};

/** Who reads, and what its tenant has turned on. */
export type Reader = { tenantId: string; rights: Rights; tenantSettings?: TenantSettings };

/** A caller as a reader. */
export const readerOf = (caller: Caller): Reader => ({
  tenantId: caller.tenantId,
  rights: caller,
  tenantSettings: caller.tenantSettings,
});

export type GetTokenOptions = {
  /** Also what is known beyond the data, for those who see all of the data. */
  withEnrichments?: boolean;
  /** By which permission the caller gets at it. */
  permission?: 'token:read' | 'token:use';
};

/**
 * One token, its data under the caller's transform. spec: Get a Token
 * @throws NotFound, Forbidden
 */
export async function getToken(
  dependencies: QueryDependencies,
  caller: Reader,
  id: string,
  options: GetTokenOptions = {},
): Promise<ShownToken> {
  const row = await dependencies.readModels.row<TokenRow>(caller.tenantId, byId, id);
  if (row !== undefined) {
    const shown = await show(dependencies, caller, tokenOf(row), options);
    if (shown !== undefined) return shown;
  }
  // The view may be behind, or the payload was replaced under our eyes: the stream knows.
  const state = await foldToken(dependencies, caller.tenantId, id);
  const shown = state.status === 'live' ? await show(dependencies, caller, state, options) : undefined;
  if (shown === undefined) throw new NotFound();
  return shown;
}

/** Undefined when the vault no longer has what the token refers to. */
async function show(
  { vault, clock, binTable }: QueryDependencies,
  { rights, tenantSettings }: Reader,
  token: LiveToken,
  { withEnrichments = false, permission = 'token:read' }: GetTokenOptions,
): Promise<ShownToken | undefined> {
  if (hasExpired(token, clock)) throw new NotFound();
  const transform = transformFor(rights, permission, token);
  if (transform === undefined) {
    throw new Forbidden(`${permission} is not granted for this token.`).about(token.id);
  }
  const payload = await readTokenPayload(vault, token);
  if (payload === undefined) return undefined;
  const shown = await showToken(token, payload, transform);
  // To others they would tell of the data what its mask hides.
  if (!withEnrichments || transform !== 'reveal') return shown;
  const bins = tenantSettings?.['bin_details'] === 'true' ? binTable : undefined;
  return { ...shown, enrichments: enrichmentsOf(token, shown.data ?? null, bins) };
}

/** A token as its stream tells. */
export async function foldToken(
  { log }: Pick<QueryDependencies, 'log'>,
  tenantId: string,
  id: string,
): Promise<TokenState> {
  const { rest, from } = await readEventsToFold(log, tokenStream(tenantId, id), tokenFold);
  return foldStream(tokenFold, rest, from);
}
