import { tokenStream } from '#domain/token/events.ts';
import type { Administration } from '#infra/vault/administration/administration.ts';
import { tenantsWithKeys } from '#infra/vault/administration/rotate.ts';
import { fingerprintOf } from '#infra/vault/crypto/digests.ts';
import { createDataKeys } from '#infra/vault/dataKeys/dataKeys.ts';
import type { DataKeys } from '#infra/vault/dataKeys/dataKeys.ts';
import { loadTenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import type { TenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import { openRow } from '#infra/vault/payloads/openRow.ts';
import type { Json } from '#ports/json.ts';
import { IntegrityError } from '#ports/vault.ts';

const batch = 200;

/** A token whose fingerprint is not of what its type says. */
export type OwnFingerprint = {
  expression: string;
  data: Json;
  metadata: Readonly<Record<string, string>>;
};

export type RefingerprintOptions = {
  /** Of each type: fingerprints of these are left alone. */
  defaultExpressions: ReadonlyMap<string, string>;
  /** What a fingerprint is taken of; undefined: nothing. */
  render(token: OwnFingerprint): string | undefined;
};

/**
 * Computes the fingerprints of expressions that are not the type's anew: those from before the expression counted
 * for them match nothing. Answers how many were others before; again, it changes none.
 */
export async function refingerprint(
  administration: Administration,
  tenantId: string | undefined,
  options: RefingerprintOptions,
): Promise<number> {
  let changed = 0;
  for (const tenant of await tenantsWithKeys(administration, tenantId)) {
    changed += await refingerprintTenant(administration, tenant, options);
  }
  return changed;
}

type Row = {
  id: string;
  type: string;
  payload_id: string;
  key_version: number;
  fingerprint_expression: string;
  metadata: Record<string, string> | null;
  fingerprint: string;
  salt: Buffer | null;
  wrapped_key: Buffer | null;
  ciphertext: Buffer;
};

async function refingerprintTenant(
  administration: Administration,
  tenantId: string,
  options: RefingerprintOptions,
): Promise<number> {
  const { pool } = administration;
  const keys = await loadTenantKeys(pool, administration, tenantId);
  const dataKeys = createDataKeys(pool, administration.environment);
  const types = [...options.defaultExpressions.keys()];
  const defaults = [...options.defaultExpressions.values()];
  let changed = 0;
  for (let after = ''; ;) {
    const { rows } = await pool.query<Row>(
      `select token.id, token.type, token.payload_id, token.fingerprint_expression, token.metadata,
         payload.fingerprint, payload.key_version, payload.salt, payload.wrapped_key, payload.ciphertext
       from read_models.tokens as token
       join vault.payloads as payload on payload.tenant_id = token.tenant_id and payload.id = token.payload_id
       where token.tenant_id = $1 and token.id > $2 and payload.fingerprint is not null
         and (token.type, token.fingerprint_expression) not in (select * from unnest($3::text[], $4::text[]))
       order by token.id limit ${batch}`,
      [tenantId, after, types, defaults],
    );
    const last = rows.at(-1);
    if (last === undefined) return changed;
    for (const row of rows) {
      changed += await refingerprintRow(administration, tenantId, { keys, dataKeys }, options, row);
    }
    after = last.id;
  }
}

async function refingerprintRow(
  { pool, environment }: Administration,
  tenantId: string,
  { keys, dataKeys }: { keys: TenantKeys; dataKeys: DataKeys },
  { render }: RefingerprintOptions,
  row: Row,
): Promise<number> {
  const fingerprint = await fingerprintOfRow();
  if (fingerprint === undefined || fingerprint === row.fingerprint) return 0;
  const { rowCount } = await pool.query(
    'update vault.payloads set fingerprint = $3 where tenant_id = $1 and id = $2',
    [tenantId, row.payload_id, fingerprint],
  );
  return rowCount ?? 0;

  async function fingerprintOfRow(): Promise<string | undefined> {
    // By what the view says, the token is its record: a reference that somebody moved opens nothing.
    const stream = tokenStream(tenantId, row.id);
    const place = { environment, tenantId, stream, payloadId: row.payload_id };
    const sealed = {
      keyVersion: row.key_version,
      salt: row.salt,
      wrappedKey: row.wrapped_key,
      ciphertext: row.ciphertext,
    };
    const keysOf = (): Promise<TenantKeys> => Promise.resolve(keys);
    const expression = row.fingerprint_expression;
    try {
      const data = await openRow({ keysOf, dataKeys }, place, sealed);
      const rendered = render({ expression, data, metadata: row.metadata ?? {} });
      return rendered === undefined
        ? undefined
        : fingerprintOf(keys.fingerprint, row.type, rendered, expression);
    } catch (error) {
      // `holdfast verify` names it; the others are not to wait for it.
      if (error instanceof IntegrityError) return undefined;
      throw error;
    }
  }
}
