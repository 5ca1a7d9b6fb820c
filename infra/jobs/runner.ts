import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from 'graphile-worker';
import type { Runner, Task as GraphileTask, WorkerEvents } from 'graphile-worker';
import pg from 'pg';
import { Backoff } from '#infra/backoff.ts';
import { Fairness } from '#infra/jobs/fairness.ts';
import { graphileLogger } from '#infra/jobs/graphileLogger.ts';
import { Liveness } from '#infra/jobs/liveness.ts';
import { tenantFlag } from '#infra/jobs/queue.ts';
import type { Task } from '#ports/jobs.ts';
import type { Logger } from '#ports/logger.ts';

export type JobRunner = {
  start(): void;
  /** Takes no more jobs, and waits for those under way, but not for ever; what is left is seen to at the next start. */
  stop(): Promise<void>;
};

export type JobRunnerSettings = {
  connection: pg.ClientConfig;
  tasks: readonly Task[];
  logger: Logger;
  /** Jobs that fall due later are looked for this often, in milliseconds; those that are due come by themselves. */
  pollInterval?: number;
  /** In milliseconds; see the locks of workers. */
  sweepInterval?: number;
  /** Jobs under way have this long to end, in milliseconds. */
  grace?: number;
};

/** Does jobs, each in one process at a time. Every task has its own workers, so that none waits for another's. */
export function createJobRunner(settings: JobRunnerSettings): JobRunner {
  const { connection, tasks, logger, sweepInterval = 2_000, grace = 10_000 } = settings;
  const liveness = new Liveness({ connection, sweepInterval, logger });
  // A job that does not end must not keep the process from ending.
  const pool = new pg.Pool({
    ...connection,
    max: 2 * tasks.length + 2,
    application_name: 'holdfast jobs',
    allowExitOnIdle: true,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  const stopped = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  return {
    start: () => {
      liveness.start();
      running = Promise.all(
        tasks.map((task) => keepRunning(settings, task, { pool, liveness, stopped: stopped.signal })),
      );
    },
    stop: async () => {
      stopped.abort();
      const ended = running.then(() => pool.end());
      ended.catch(() => undefined);
      await Promise.race([ended, sleep(grace, undefined, { ref: false })]);
      await liveness.stop();
    },
  };
}

type Surroundings = { pool: pg.Pool; liveness: Liveness; stopped: AbortSignal };

/** The library gives a worker up when it cannot write down how a job ended: they are then started anew. */
async function keepRunning(settings: JobRunnerSettings, task: Task, around: Surroundings): Promise<void> {
  const backoff = new Backoff(200, 10_000);
  const draining: Promise<void>[] = [];
  while (!around.stopped.aborted) {
    try {
      const { runner, broken } = await startWorkers(settings, task, around);
      await Promise.race([broken, aborted(around.stopped)]);
      draining.push(runner.stop().catch(() => undefined));
    } catch (error) {
      settings.logger.warn({ err: error, task: task.name }, 'the workers of a task could not start');
    }
    if (!around.stopped.aborted) await backoff.pause(around.stopped);
  }
  await Promise.all(draining);
}

async function startWorkers(
  { pollInterval = 5_000, logger }: JobRunnerSettings,
  task: Task,
  { pool, liveness }: Surroundings,
): Promise<{ runner: Runner; broken: Promise<void> }> {
  const events: WorkerEvents = new EventEmitter();
  const { promise: broken, resolve } = Promise.withResolvers<undefined>();
  const breakOff = (): void => {
    resolve(undefined);
  };
  events.on('worker:create', ({ worker }) => {
    liveness.hold(worker.workerId);
  });
  events.on('worker:stop', ({ worker }) => {
    liveness.release(worker.workerId);
  });
  events.on('worker:fatalError', breakOff);
  const fairness = new Fairness(task);
  const foundNone = (): void => {
    fairness.found(undefined);
  };
  events.on('worker:getJob:empty', foundNone);
  events.on('worker:getJob:error', foundNone);
  events.on('job:start', ({ job }) => {
    fairness.found((job.payload as Payload).tenant_id);
  });
  const runner = await run({
    pgPool: pool,
    events,
    logger: graphileLogger(logger),
    noHandleSignals: true,
    concurrency: task.concurrency,
    pollInterval,
    crontab: '',
    taskList: { [task.name]: doing(task, fairness, logger) },
    forbiddenFlags: async () => {
      // Each look ends with one of the events above, also when this throws.
      const served = await fairness.look();
      await liveness.held();
      return served.map(tenantFlag);
    },
  });
  runner.promise.then(breakOff, breakOff);
  return { runner, broken };
}

type Payload = { tenant_id: string; id: string };

const doing =
  (task: Task, fairness: Fairness, logger: Logger): GraphileTask =>
  async (payload) => {
    const { tenant_id: tenantId, id } = payload as Payload;
    try {
      await task.run({ tenantId, id });
    } catch (error) {
      logger.warn({ err: error, task: task.name, id }, 'a job failed and is tried again');
      // The library keeps the message of an error beside the job, and an error may quote anything.
      throw new Error('see the log', { cause: error });
    } finally {
      fairness.done(tenantId);
    }
  };

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
