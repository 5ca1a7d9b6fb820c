import { containersGranted, transformFor } from '#access/evaluate.ts';
import type { Rights } from '#access/evaluate.ts';
import { showToken } from '#access/showToken.ts';
import type { ShownToken } from '#access/showToken.ts';
import type { LiveToken } from '#domain/token/state.ts';
import type { Page, PageRequest, QueryDependencies } from '#queries/dependencies.ts';
import { tokenColumns, tokenOf } from '#queries/token/row.ts';
import type { TokenRow } from '#queries/token/row.ts';

export type TokenFilter = {
  ids?: readonly string[];
  /** All of them must match, without regard to case. */
  metadata?: Readonly<Record<string, string>>;
  types?: readonly string[];
};

/**
 * A page of the tokens that the caller may read, newest first, each under the caller's transform.
 * spec: List Tokens
 */
export async function listTokens(
  dependencies: QueryDependencies,
  caller: { tenantId: string; rights: Rights },
  filter: TokenFilter,
  { page, size }: PageRequest,
): Promise<Page<ShownToken>> {
  const { readModels, clock } = dependencies;
  const { where, values, name } = conditions(caller.rights, filter, clock.now());
  const from = `from read_models.tokens as token where ${where}`;
  const limit = values.length + 2;
  const [rows, counts] = await Promise.all([
    readModels.rows<TokenRow>(
      caller.tenantId,
      {
        name: `tokens_${name}`,
        text: `select ${tokenColumns} ${from} order by token.created_at desc, token.ordinal desc
          limit $${limit} offset $${limit + 1}`,
      },
      [...values, size, (page - 1) * size],
    ),
    readModels.rows<{ total: string }>(
      caller.tenantId,
      { name: `tokens_count_${name}`, text: `select count(*) as total ${from}` },
      values,
    ),
  ]);
  const items = await showAll(dependencies, caller.rights, rows.map(tokenOf));
  return { items, totalItems: Number(counts[0]?.total ?? 0), page, size };
}

function conditions(rights: Rights, filter: TokenFilter, now: Date) {
  const values: unknown[] = [now];
  const where = ['token.tenant_id = tenant.id', '(token.expires_on is null or token.expires_on > $2)'];
  const names = ['all'];
  const add = (name: string, value: unknown, condition: (parameter: string) => string): void => {
    values.push(value);
    names.push(name);
    where.push(condition(`$${values.length + 1}`));
  };
  const containers = containersGranted(rights, 'token:read');
  if (containers !== undefined) {
    add('containers', containers, (granted) => {
      const pairs = `unnest(token.containers) as own, unnest(${granted}::text[]) as granted`;
      return `exists (select from ${pairs} where starts_with(own, granted))`;
    });
  }
  if (filter.ids !== undefined) add('ids', filter.ids, (ids) => `token.id = any(${ids})`);
  if (filter.types !== undefined) add('types', filter.types, (types) => `token.type = any(${types})`);
  if (filter.metadata !== undefined) {
    const wanted = Object.entries(filter.metadata).map(([name, value]) => [name, value.toLowerCase()]);
    add(
      'metadata',
      JSON.stringify(Object.fromEntries(wanted)),
      (metadata) => `token.metadata_search @> ${metadata}::jsonb`,
    );
  }
  return { where: where.join(' and '), values, name: names.join('_') };
}

/** Tokens whose payload is gone were deleted or replaced meanwhile; they are left out. */
async function showAll(
  { vault }: QueryDependencies,
  rights: Rights,
  tokens: readonly LiveToken[],
): Promise<ShownToken[]> {
  const tenantId = tokens[0]?.tenantId;
  if (tenantId === undefined) return [];
  const payloads = await vault.read(
    tenantId,
    tokens.map((token) => token.payloadId),
  );
  const shown = await Promise.all(
    tokens.map(async (token) => {
      const payload = payloads.get(token.payloadId);
      const transform = transformFor(rights, 'token:read', token.containers);
      return payload === undefined || transform === undefined
        ? undefined
        : showToken(token, payload, transform);
    }),
  );
  return shown.filter((token) => token !== undefined);
}
