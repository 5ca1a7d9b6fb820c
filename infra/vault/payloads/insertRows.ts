import type pg from 'pg';
import { reachable } from '#infra/postgres/failure.ts';
import { arrayLiteral, timeLiteral } from '#infra/postgres/arrayLiteral.ts';
import { asTenant } from '#infra/vault/tenantStatement.ts';

/** A payload as it is written. */
export type PayloadRow = {
  id: string;
  stream: string;
  keyVersion: number;
  salt: Buffer;
  ciphertext: Buffer;
  fingerprint: string | null;
  blindIndexes: readonly Uint8Array[];
  expiresAt: Date | null;
  part: PartRow | undefined;
};

export type PartRow = { epoch: number; epochKeyId: string; ciphertext: Buffer; storedAt: Date };

/** Keys that were good when the rows were encrypted are no longer: encrypt again and insert again. */
export class KeysChanged extends Error {
  override readonly name = 'KeysChanged';
}

/**
 * Inserts payloads of one tenant and one key version with all that belongs to them; those that are there stay
 * as they are, but count as stored now: who repeats a write may yet append the event. The statement itself checks the keys, so that a process that slept through a rotation, the
 * destruction of a tenant, or a crash of Postgres cannot leave what nobody can read.
 * @throws KeysChanged @throws StoreUnavailable
 */
export async function insertRows(
  pool: pg.Pool,
  tenantId: string,
  rows: readonly PayloadRow[],
  createdAt: Date,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  // One order for all writers: inserts of the same ids wait for each other instead of deadlocking.
  const ordered = [...new Map(rows.map((row) => [row.id, row])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  const digests = ordered.flatMap(({ id, blindIndexes }) => blindIndexes.map((digest) => ({ id, digest })));
  const parts = ordered.flatMap(({ id, part }) => (part === undefined ? [] : [{ id, ...part }]));
  const pieces = [
    ...ordered.map((row) => row.salt),
    ...ordered.map((row) => row.ciphertext),
    ...digests.map((row) => row.digest),
    ...parts.map((part) => part.ciphertext),
  ];
  const result = await reachable(() =>
    pool.query<{ usable: boolean; parts: number }>({
      name: 'vault store',
      text: storeStatement,
      values: [
        tenantId,
        first.keyVersion,
        createdAt,
        // Arrays of bytes would travel as hexadecimal text, which takes longer than all else that happens here.
        Buffer.concat(pieces),
        arrayLiteral(pieces.map((piece) => piece.length)),
        ordered.length,
        digests.length,
        arrayLiteral(ordered.map((row) => row.id)),
        ordered.map((row) => row.stream),
        ordered.map((row) => row.fingerprint),
        arrayLiteral(ordered.map((row) => timeLiteral(row.expiresAt))),
        arrayLiteral(digests.map((row) => row.id)),
        arrayLiteral(parts.map((part) => part.id)),
        arrayLiteral(parts.map((part) => part.epoch)),
        arrayLiteral(parts.map((part) => part.epochKeyId)),
        arrayLiteral(parts.map((part) => timeLiteral(part.storedAt))),
      ],
    }),
  );
  const [outcome] = result.rows;
  if (outcome?.usable !== true || outcome.parts !== parts.length) throw new KeysChanged();
}

const storeStatement = `${asTenant},
  packed as materialized (
    select array(
      select substring($4::bytea from (before + 1)::int4 for size)
      from (select n, size, sum(size) over (order by n) - size as before
            from unnest($5::int4[]) with ordinality l (size, n)) extent
      order by n
    ) as pieces
  ),
  usable as materialized (
    select tenant.id from tenant cross join lateral (
      select from vault.tenant_keys
      where tenant_id = tenant.id and purpose = 'data' and version = $2 and state <> 'retired' offset 0
    ) k
  ),
  stored as (
    insert into vault.payloads
      (tenant_id, key_version, created_at, id, stream, fingerprint, expires_at, salt, ciphertext)
    select usable.id, $2, $3, p.*
    from usable cross join packed cross join lateral unnest(
      $8::uuid[], $9::text[], $10::text[], $11::timestamptz[], pieces[:$6], pieces[$6 + 1 : 2 * $6]) p
    on conflict (tenant_id, id) do update set stored_at = now()
  ),
  indexed as (
    insert into vault.blind_indexes (tenant_id, payload_id, digest)
    select usable.id, i.*
    from usable cross join packed
    cross join lateral unnest($12::uuid[], pieces[2 * $6 + 1 : 2 * $6 + $7]) i
    on conflict do nothing
  ),
  parts as materialized (
    select usable.id as tenant_id, part.*
    from usable cross join packed
    cross join lateral unnest(
      $13::uuid[], $14::int8[], $15::uuid[], $16::timestamptz[], pieces[2 * $6 + $7 + 1 :])
      part (payload_id, epoch, epoch_key_id, stored_at, ciphertext)
    cross join lateral (
      select from vault.epoch_keys k
      where k.tenant_id = usable.id and k.epoch = part.epoch and k.id = part.epoch_key_id offset 0
    ) k
  ),
  kept as (
    insert into vault.short_lived_parts (tenant_id, payload_id, epoch, epoch_key_id, stored_at, ciphertext)
    select * from parts
    on conflict do nothing
  )
  select exists (select from usable) as usable, (select count(*)::int4 from parts) as parts`;
