import { setTimeout as sleep } from 'node:timers/promises';
import { foldStream } from '#domain/fold.ts';
import { reactorStream } from '#domain/reactor/events.ts';
import { reactorFold } from '#domain/reactor/state.ts';
import type { EventLog } from '#ports/eventLog.ts';
import type { Logger } from '#ports/logger.ts';
import { keptInvocations } from '#ports/reactorLogs.ts';
import type { ReactorLogs } from '#ports/reactorLogs.ts';
import type { Vault } from '#ports/vault.ts';
import { isTelling } from '#src/reactors/logs/ended.ts';
import type { EndedInvocation } from '#src/reactors/logs/ended.ts';
import { invocationLogsOf } from '#src/reactors/logs/invocationLogs.ts';

export type LogKeeper = {
  /** Sees to it that it is logged, if there is anything to tell. Nobody waits for that, and it never throws. */
  keep(ended: EndedInvocation): void;
  /** Resolves when all is written. */
  flush(): Promise<void>;
  close(): Promise<void>;
};

export type LogKeeperDependencies = {
  reactorLogs: ReactorLogs;
  vault: Pick<Vault, 'read'>;
  log: Pick<EventLog, 'readStream'>;
  logger: Logger;
};

/** Reactors whose logs are written at a time. */
const atOnce = 4;
/** Of what waits to be written, in characters. */
const mostWaiting = 32 * 1024 * 1024;
/** An answer is sent first; and of a reactor that is called all the time, much is written together. Milliseconds. */
const pause = 100;
/** Losses are told together, in milliseconds. */
const tellInterval = 1_000;

type Waiting = { tenantId: string; reactorId: string; ended: EndedInvocation[] };

/**
 * Writes logs of invocations in the background. Of each reactor no more wait than are kept, since each beyond would
 * take the place of one before; what all reactors together leave waiting is bounded, and what is beyond is lost,
 * which is told.
 */
export function createLogKeeper(dependencies: LogKeeperDependencies): LogKeeper {
  const { logger } = dependencies;
  /** In the order of their turn. */
  const waiting = new Map<string, Waiting>();
  const writing = new Map<string, Promise<void>>();
  let size = 0;
  let lost = 0;
  let telling: NodeJS.Timeout | undefined;
  let state: 'open' | 'closing' | 'closed' = 'open';

  const tell = (): void => {
    clearTimeout(telling);
    telling = undefined;
    if (lost > 0) logger.warn({ invocations: lost }, 'logs of reactors were lost');
    lost = 0;
  };
  const lose = (count: number): void => {
    lost += count;
    telling ??= setTimeout(tell, tellInterval).unref();
  };
  const write = async (key: string): Promise<void> => {
    if (state === 'open') await sleep(pause);
    const next = waiting.get(key);
    waiting.delete(key);
    if (next === undefined) return;
    size -= next.ended.reduce((sum, one) => sum + sizeOf(one), 0);
    try {
      await writeLogs(dependencies, next);
    } catch (error) {
      logger.debug({ err: error }, 'logs of a reactor could not be written');
      lose(next.ended.length);
    }
  };
  const start = (): void => {
    for (const key of waiting.keys()) {
      if (writing.size >= atOnce) return;
      if (writing.has(key)) continue;
      const done = write(key).finally(() => {
        writing.delete(key);
        start();
      });
      writing.set(key, done);
    }
  };
  const flush = async (): Promise<void> => {
    while (writing.size > 0) await Promise.all(writing.values());
  };

  return {
    keep: (ended) => {
      if (!isTelling(ended)) return;
      if (state === 'closed' || size + sizeOf(ended) > mostWaiting) {
        lose(1);
        return;
      }
      const { tenantId, reactorId } = ended;
      const of = waiting.get(reactorId) ?? { tenantId, reactorId, ended: [] };
      of.ended.push(ended);
      size += sizeOf(ended);
      if (of.ended.length > keptInvocations) {
        const outdated = of.ended.shift();
        if (outdated !== undefined) size -= sizeOf(outdated);
      }
      waiting.set(reactorId, of);
      start();
    },
    flush,
    close: async () => {
      state = 'closing';
      await flush();
      state = 'closed';
      tell();
    },
  };
}

/** What it holds in memory, in characters. */
const sizeOf = ({ injected, lines }: EndedInvocation): number =>
  1_000 + lengthOf(injected) + lengthOf(lines.map(({ text }) => text));

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);

async function writeLogs(
  { reactorLogs, vault, log }: LogKeeperDependencies,
  { tenantId, reactorId, ended }: Waiting,
): Promise<void> {
  await reactorLogs.keep(tenantId, reactorId, await invocationLogsOf(vault, ended));
  // Who deletes a reactor forgets its logs, but not those that come later.
  const state = foldStream(reactorFold, await log.readStream(reactorStream(tenantId, reactorId)));
  if (state.status !== 'live') await reactorLogs.forget(tenantId, [reactorId]);
}
