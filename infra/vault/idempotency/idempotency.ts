import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Clock } from '#ports/clock.ts';
import type { Idempotency, IdempotencyClaim, IdempotencyScope, StoredAnswer } from '#ports/idempotency.ts';
import type { Json } from '#ports/json.ts';
import type { Vault } from '#ports/vault.ts';
import { lengthPrefixed } from '#infra/vault/crypto/lengthPrefixed.ts';
import {
  abandonLease,
  endWithAnswer,
  endWithout,
  findAnswer,
  takeLease,
  takeOverAnswered,
} from '#infra/vault/idempotency/leases.ts';
import type { Answered, Lease, Slot } from '#infra/vault/idempotency/leases.ts';

/** How long a key is remembered, in milliseconds (spec: idempotency). */
const memory = 24 * 60 * 60_000;
/** How long an answer that may hold detokenized data is kept, in milliseconds. */
const sensitiveMemory = 60 * 60_000;
/** A slot that is freed between two statements is tried again this often. */
const attempts = 3;

export type IdempotencySettings = {
  /** Connections in the role `holdfast_api`. */
  pool: pg.Pool;
  vault: Vault;
  clock: Clock;
};

type Claim = { slot: Slot; lease: Lease };

/**
 * Leases are not renewed: a command that takes longer than 30 s, or whose end nobody learnt, is taken over under
 * the same command id, by which it recognises what it did. An end that comes after that changes nothing.
 */
export function createIdempotency({ pool, vault, clock }: IdempotencySettings): Idempotency {
  const claims = new WeakMap<IdempotencyScope, Claim>();

  const slotOf = async ({ tenantId, applicationId, method, route, key }: IdempotencyScope): Promise<Slot> => {
    const name = lengthPrefixed('idempotency', applicationId, method, route, key).toString();
    return { tenantId, digest: await vault.blindIndex(tenantId, name) };
  };

  const run = (scope: IdempotencyScope, claim: Claim, repeated: boolean): IdempotencyClaim => {
    claims.set(scope, claim);
    return { outcome: 'run', commandId: claim.lease.commandId, repeated };
  };

  const replay = async (
    scope: IdempotencyScope,
    slot: Slot,
    { commandId, status, answerId }: Answered,
  ): Promise<IdempotencyClaim> => {
    if (answerId === null) return { outcome: 'answered', answer: { status, body: undefined } };
    const [payload] = await vault.read(slot.tenantId, [{ id: answerId, stream: streamOf(slot) }]);
    if (payload !== undefined) {
      return { outcome: 'answered', answer: { status, ...unpacked(await payload.data()) } };
    }
    const lease = { commandId, holder: randomUUID() };
    const taken = await takeOverAnswered(pool, slot, lease, answerId, timesFrom(clock.now()).expiresAt);
    return taken ? run(scope, { slot, lease }, true) : { outcome: 'in_flight' };
  };

  const take = (scope: IdempotencyScope): Claim => {
    const claim = claims.get(scope);
    if (claim === undefined) throw new Error('an idempotency key was ended without a claim');
    claims.delete(scope);
    return claim;
  };

  return {
    claim: async (scope) => {
      const slot = await slotOf(scope);
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        const fresh = { commandId: randomUUID(), holder: randomUUID() };
        const lease = await takeLease(pool, slot, fresh, timesFrom(clock.now()));
        if (lease !== undefined) {
          return run(scope, { slot, lease }, lease.commandId !== fresh.commandId);
        }
        const answered = await findAnswer(pool, slot);
        if (answered === 'none_yet') return { outcome: 'in_flight' };
        if (answered !== undefined) return replay(scope, slot, answered);
      }
      return { outcome: 'in_flight' };
    },
    succeed: async (scope, { status, body, shown }, sensitive) => {
      const { slot, lease } = take(scope);
      const { now, expiresAt } = timesFrom(clock.now());
      const answerExpiresAt = sensitive ? new Date(now.getTime() + sensitiveMemory) : expiresAt;
      const answerId =
        body === undefined ? null : await storeAnswer(vault, slot, packed(body, shown), answerExpiresAt);
      await endWithAnswer(pool, slot, lease, { status, answerId }, expiresAt);
    },
    release: async (scope) => {
      const { slot, lease } = take(scope);
      await endWithout(pool, slot, lease);
    },
    abandon: async (scope) => {
      const { slot, lease } = take(scope);
      await abandonLease(pool, slot, lease);
    },
  };
}

type Kept = Pick<StoredAnswer, 'body' | 'shown'>;

/** Answers of before were kept as they are. */
const packed = (body: Json, shown: Kept['shown']): Json =>
  shown === undefined ? body : { packed: 1, body, shown: shown.map((one) => ({ ...one })) };

function unpacked(data: Json): Kept {
  const isPacked = typeof data === 'object' && data !== null && 'packed' in data && 'shown' in data;
  return isPacked ? { body: data['body'], shown: data['shown'] as Kept['shown'] & object } : { body: data };
}

/** No stream of the log: it binds an answer to its key, and thereby to application, method and route. */
const streamOf = ({ digest }: Slot): string => `idempotency.${Buffer.from(digest).toString('base64url')}`;

async function storeAnswer(vault: Vault, slot: Slot, body: Json, expiresAt: Date): Promise<string> {
  const id = randomUUID();
  await vault.store({ id, tenantId: slot.tenantId, stream: streamOf(slot), data: body, expiresAt });
  return id;
}

const timesFrom = (now: Date): { now: Date; expiresAt: Date } => ({
  now,
  expiresAt: new Date(now.getTime() + memory),
});
