import type pg from 'pg';
import { IntegrityError, TenantKeysMissing } from '#ports/vault.ts';
import type { StoredPayload, Vault } from '#ports/vault.ts';
import { RootKeyUnknown } from '#ports/keyProvider.ts';

/** Payloads that are read at once. */
const pageSize = 500;

export type PayloadsVerified = { payloads: number; faults: string[] };

export type VerifyPayloadsOptions = {
  /** Connections of the owner. */
  database: Pick<pg.Pool, 'query'>;
  vault: Vault;
  onProgress?: (payloads: number) => void;
};

type Place = { tenant_id: string; id: string; stream: string };

/** Decrypts every payload that is kept, and keeps nothing of what it says. */
export async function verifyPayloads(options: VerifyPayloadsOptions): Promise<PayloadsVerified> {
  const faults: string[] = [];
  let payloads = 0;
  for await (const page of pages(options.database)) {
    for (const [tenantId, places] of Map.groupBy(page, (place) => place.tenant_id)) {
      faults.push(...(await faultsOf(options, tenantId, places)));
    }
    payloads += page.length;
    options.onProgress?.(payloads);
  }
  return { payloads, faults };
}

async function* pages(database: Pick<pg.Pool, 'query'>): AsyncGenerator<Place[]> {
  const nothing = '00000000-0000-0000-0000-000000000000';
  let after: Pick<Place, 'tenant_id' | 'id'> = { tenant_id: nothing, id: nothing };
  for (;;) {
    const { rows } = await database.query<Place>({
      name: 'payloads to verify',
      text: `select tenant_id, id, stream from vault.payloads where (tenant_id, id) > ($1, $2)
        order by tenant_id, id limit ${pageSize}`,
      values: [after.tenant_id, after.id],
    });
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last;
  }
}

async function faultsOf(
  { database, vault }: VerifyPayloadsOptions,
  tenantId: string,
  places: readonly Place[],
): Promise<string[]> {
  const found = await vault.read(tenantId, places);
  const unopened = await Promise.all(
    places.map(async ({ id }, index) => ((await opens(found[index])) ? [] : [id])),
  );
  const wrong = await stillKept(database, tenantId, unopened.flat());
  return wrong.map((id) => `tenant ${tenantId}: payload ${id} cannot be decrypted`);
}

async function opens(payload: StoredPayload | undefined): Promise<boolean> {
  if (payload === undefined) return false;
  try {
    await payload.data();
    return true;
  } catch (error) {
    const kinds = [IntegrityError, TenantKeysMissing, RootKeyUnknown];
    if (kinds.some((kind) => error instanceof kind)) return false;
    throw error;
  }
}

/** What went meanwhile, by itself or with its tenant, is no fault. */
async function stillKept(
  database: Pick<pg.Pool, 'query'>,
  tenantId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await database.query<{ id: string }>(
    `select id from vault.payloads where tenant_id = $1 and id = any($2::uuid[])
       and (expires_at is null or expires_at > now() + interval '1 minute')
       and not exists (select from vault.destroyed_tenants where tenant_id = $1)`,
    [tenantId, ids],
  );
  return rows.map(({ id }) => id);
}
