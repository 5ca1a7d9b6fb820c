import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import { loadTenantKeys } from '#infra/vault/keys/tenantKeys.ts';
import type { Administration } from '#infra/vault/administration/administration.ts';
import type { Json } from '#ports/json.ts';
import type { Vault } from '#ports/vault.ts';

/*
 * How versions before the one with data keys of days sealed, written down once more: nothing in the product can make
 * such values any more.
 */

export type OldPayload = { id: string; tenantId: string; stream: string; data: Json; expiresAt?: Date };

/** Puts a payload into the vault as an earlier version did. */
export async function storeAsBefore(
  administration: Administration,
  { id, tenantId, stream, data, expiresAt }: OldPayload,
): Promise<void> {
  const { active } = await loadTenantKeys(administration.pool, administration, tenantId);
  const sealed = sealAsBefore(administration.environment, tenantId, id, active, data);
  await insert(administration.pool, { id, tenantId, stream, expiresAt, version: active.version, ...sealed });
}

/** Turns all payloads of a tenant into those of an earlier version. */
export async function turnOld(
  administration: Administration,
  vault: Pick<Vault, 'read'>,
  tenantId: string,
): Promise<number> {
  const { active } = await loadTenantKeys(administration.pool, administration, tenantId);
  const { rows } = await administration.pool.query<{ id: string; stream: string }>(
    'select id, stream from vault.payloads where tenant_id = $1',
    [tenantId],
  );
  for (const payload of await vault.read(tenantId, rows)) {
    if (payload === undefined) throw new Error('a payload is missing');
    const { environment } = administration;
    const data = await payload.data();
    const { wrappedKey, ciphertext } = sealAsBefore(environment, tenantId, payload.id, active, data);
    await administration.pool.query(
      'update vault.payloads set wrapped_key = $3, salt = null, ciphertext = $4 where tenant_id = $1 and id = $2',
      [tenantId, payload.id, wrappedKey, ciphertext],
    );
  }
  return rows.length;
}

/** A short-lived part as it was sealed under the key of its minute. */
export const sealPartAsBefore = (
  environment: string,
  tenantId: string,
  payloadId: string,
  key: KeyObject,
  value: Json,
  storedAt: Date,
): Buffer =>
  direct(
    key,
    place(environment, tenantId, payloadId, `short-lived part ${storedAt.getTime()}`),
    Buffer.from(JSON.stringify(value)),
  );

function sealAsBefore(
  environment: string,
  tenantId: string,
  id: string,
  { version, key }: { version: number; key: KeyObject },
  data: Json,
): { wrappedKey: Buffer; ciphertext: Buffer } {
  const dataKey = randomBytes(32);
  const ciphertext = direct(
    dataKey,
    place(environment, tenantId, id, 'data'),
    Buffer.from(JSON.stringify(data)),
  );
  const header = Buffer.alloc(4);
  header.writeUInt32BE(version);
  const wrapped = committing(key, place(environment, tenantId, id, `data key ${version}`), dataKey);
  return { wrappedKey: Buffer.concat([header, wrapped]), ciphertext };
}

const place = (...parts: string[]): Buffer =>
  Buffer.from(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join(''));

/** Algorithm 2. */
const direct = (key: KeyObject | Buffer, at: Buffer, content: Buffer): Buffer =>
  Buffer.concat([Buffer.of(2), gcm(key, at, content)]);

/** Algorithm 1. */
function committing(key: KeyObject, at: Buffer, content: Buffer): Buffer {
  const derived = createHmac('sha512', key).update('holdfast seal 1:').update(at).digest();
  return Buffer.concat([Buffer.of(1), derived.subarray(32), gcm(derived.subarray(0, 32), at, content)]);
}

function gcm(key: KeyObject | Buffer, at: Buffer, content: Buffer): Buffer {
  const nonce = randomBytes(12);
  const encryption = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 });
  encryption.setAAD(at);
  const ciphertext = Buffer.concat([encryption.update(content), encryption.final()]);
  return Buffer.concat([nonce, ciphertext, encryption.getAuthTag()]);
}

type Row = Omit<OldPayload, 'data' | 'expiresAt'> & {
  expiresAt: Date | undefined;
  version: number;
  wrappedKey: Buffer;
  ciphertext: Buffer;
};

async function insert(pool: pg.Pool, row: Row): Promise<void> {
  await pool.query(
    `insert into vault.payloads
       (tenant_id, id, stream, key_version, wrapped_key, ciphertext, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, now(), $7)`,
    [row.tenantId, row.id, row.stream, row.version, row.wrappedKey, row.ciphertext, row.expiresAt ?? null],
  );
}
