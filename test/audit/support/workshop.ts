import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAnchorFiles } from '#infra/audit/anchorFiles.ts';
import type { Anchors } from '#infra/audit/anchors.ts';
import { verifyAudit } from '#infra/audit/verify.ts';
import type { Verification } from '#infra/audit/verify.ts';
import { createAuditWriter } from '#infra/audit/writer.ts';
import type { AuditWriter } from '#infra/audit/writer.ts';
import type { AuditEntry } from '#ports/audit.ts';
import { createTestDatabase } from '#test/support/database.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { silentLogger } from '#test/support/silentLogger.ts';

export type AuditWorkshop = {
  database: TestDatabase;
  key: KeyObject;
  anchors: Anchors;
  /** Where the heads lie. */
  directory: string;
  /** A writer, as another process would have. */
  writer(newWriterId?: () => string): AuditWriter;
  verify(): Promise<Verification>;
  close(): Promise<void>;
};

/** A database, a key and a directory for heads. */
export async function createAuditWorkshop(): Promise<AuditWorkshop> {
  const database = await createTestDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-audit-'));
  const key = createSecretKey(randomBytes(32));
  const loadKey = (): Promise<KeyObject> => Promise.resolve(key);
  const anchors = createAnchorFiles(directory, loadKey);
  const writers: AuditWriter[] = [];
  return {
    database,
    key,
    anchors,
    directory,
    writer: (newWriterId = randomUUID) => {
      const { audit: pool } = database.pools;
      const writer = createAuditWriter({
        newWriterId,
        pool,
        anchors,
        key: loadKey,
        logger: silentLogger,
      });
      writers.push(writer);
      return writer;
    },
    verify: () => verifyAudit({ database: database.pools.owner, key, anchors }),
    close: async () => {
      for (const writer of writers) await writer.close();
      await database.drop();
      await rm(directory, { recursive: true });
    },
  };
}

export const tenantId = '11111111-1111-4111-8111-111111111111';

/** A read of a token; what differs is given. */
export const entry = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  occurredAt: new Date('2030-01-02T03:04:05.678Z'),
  tenantId,
  actor: { type: 'application', id: '22222222-2222-4222-8222-222222222222' },
  keyId: '33333333-3333-4333-8333-333333333333',
  operation: 'read',
  entityType: 'token',
  entityId: 'a token',
  outcome: 'succeeded',
  status: 200,
  detail: 'mask',
  address: '127.0.0.1',
  traceId: '44444444-4444-4444-8444-444444444444',
  ...changes,
});
