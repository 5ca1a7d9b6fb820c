import { once } from 'node:events';
import type { KeyObject } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Connection } from '#infra/postgres/connection.ts';
import { bodyOf } from '#infra/audit/line.ts';
import type { FromAuditThread, ThreadSettings, ToAuditThread } from '#infra/audit/threadMessages.ts';
import type { AuditWriter } from '#infra/audit/writer.ts';
import { AuditUnavailable } from '#ports/audit.ts';
import type { Logger } from '#ports/logger.ts';

export type ThreadedAuditOptions = {
  connection: Connection;
  /** Of the heads. */
  directory: string;
  key: () => Promise<KeyObject>;
  logger: Logger;
};

/** What was recorded in one turn of the event loop. */
type Delivery = { bodies: string[]; settled: PromiseWithResolvers<undefined> };

type Running = { worker: Worker; awaited: Map<number, Delivery> };

/**
 * Writes a chain in a thread of its own: tags and statements take no time from requests, and a batch need not wait
 * for its turn among them. A thread that ends is replaced by another with a chain of its own.
 */
export function createThreadedAudit(options: ThreadedAuditOptions): AuditWriter {
  const { connection, directory, key, logger } = options;
  let deliveries = 0;
  let gathering: Delivery | undefined;
  let running: Promise<Running> | undefined;
  let closed = false;

  async function start(): Promise<Running> {
    const settings: ThreadSettings = { connection, directory, key: await key() };
    const worker = new Worker(new URL('thread.ts', import.meta.url), { workerData: settings });
    const awaited = new Map<number, Delivery>();
    worker.on('message', ({ written, failed }: FromAuditThread) => {
      for (const delivery of written) take(awaited, delivery)?.settled.resolve(undefined);
      for (const { delivery, failure } of failed) refuse(take(awaited, delivery), failure);
    });
    worker.on('error', (error) => {
      logger.error({ err: error }, 'the thread of the audit log failed');
    });
    worker.once('exit', () => {
      running = undefined;
      for (const delivery of awaited.values()) refuse(delivery, 'its thread ended');
    });
    return { worker, awaited };
  }

  function take(awaited: Map<number, Delivery>, delivery: number): Delivery | undefined {
    const found = awaited.get(delivery);
    awaited.delete(delivery);
    return found;
  }

  function refuse(delivery: Delivery | undefined, failure: string): void {
    logger.error({ failure }, 'the audit log cannot be written');
    delivery?.settled.reject(new AuditUnavailable('the audit log cannot be written'));
  }

  async function deliver(delivery: Delivery): Promise<void> {
    gathering = undefined;
    try {
      if (closed) throw new Error('it is closed');
      running ??= start();
      const { worker, awaited } = await running;
      const number = ++deliveries;
      awaited.set(number, delivery);
      worker.postMessage({ delivery: number, bodies: delivery.bodies } satisfies ToAuditThread);
    } catch (error) {
      running = undefined;
      refuse(delivery, error instanceof Error ? error.message : 'unknown');
    }
  }

  return {
    record: (entries) => {
      if (entries.length === 0) return Promise.resolve();
      if (gathering === undefined) {
        const delivery: Delivery = { bodies: [], settled: Promise.withResolvers<undefined>() };
        gathering = delivery;
        setImmediate(() => void deliver(delivery));
      }
      for (const entry of entries) gathering.bodies.push(bodyOf(entry));
      return gathering.settled.promise;
    },
    close: async () => {
      closed = true;
      const thread = await running?.catch(() => undefined);
      if (thread === undefined) return;
      const ended = once(thread.worker, 'exit');
      thread.worker.postMessage({ close: true } satisfies ToAuditThread);
      await ended;
    },
  };
}
