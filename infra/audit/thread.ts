import { parentPort, workerData } from 'node:worker_threads';
import { createAnchorFiles } from '#infra/audit/anchorFiles.ts';
import type { FromAuditThread, ThreadSettings, ToAuditThread } from '#infra/audit/threadMessages.ts';
import { createChainWriter } from '#infra/audit/writer.ts';
import { createAuditPool } from '#infra/postgres/pools.ts';
import { randomId } from '#src/identifiers.ts';

/** The thread of {@link createThreadedAudit}: writes a chain, and says which deliveries are safe. */
const { connection, directory, key } = workerData as ThreadSettings;
const loaded = (): Promise<typeof key> => Promise.resolve(key);
const pool = createAuditPool(connection);
const ignore = (): void => undefined;
const writer = createChainWriter({
  newWriterId: randomId,
  pool,
  anchors: createAnchorFiles(directory, loaded),
  key: loaded,
  // The other side is told, and has a log.
  logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
});

let settled: FromAuditThread = { written: [], failed: [] };

/** Deliveries of one batch are settled together, and told together. */
function settle(delivery: number, failure?: string): void {
  if (settled.written.length + settled.failed.length === 0) {
    // Before anything else that waits for its turn: requests wait for it.
    queueMicrotask(() => {
      parentPort?.postMessage(settled);
      settled = { written: [], failed: [] };
    });
  }
  if (failure === undefined) settled.written.push(delivery);
  else settled.failed.push({ delivery, failure });
}

parentPort?.on('message', (message: ToAuditThread) => {
  if ('close' in message) {
    void writer
      .close()
      .then(() => pool.end())
      .finally(() => {
        process.exit(0);
      });
    return;
  }
  writer.write(message.bodies).then(
    () => {
      settle(message.delivery);
    },
    (error: unknown) => {
      settle(message.delivery, error instanceof Error ? String(error.cause ?? error.message) : 'unknown');
    },
  );
});
