import { LogUnavailable } from '#ports/eventLog.ts';
import type { LogPage } from '#ports/eventLog.ts';
import { buildMissingViews } from '#projections/engine/build.ts';
import { recordStatus } from '#projections/engine/checkpoints.ts';
import type { Engine } from '#projections/engine/engine.ts';
import { ProjectionsHalted } from '#projections/engine/engine.ts';
import { describeError } from '#projections/engine/failures.ts';
import { follow } from '#projections/engine/follow.ts';
import { BehindReadModels, ForeignLog } from '#projections/engine/live.ts';
import type { Session } from '#projections/engine/session.ts';
import { openSession, pause } from '#projections/engine/session.ts';

export type RunnerState = {
  /** `standby`: another process runs the projections, or this one cannot just now. */
  phase: 'idle' | 'standby' | 'running' | 'stopped';
  /** Whether the last page reached the end of the log. */
  atHead: boolean;
  /** Views that are being built before they can be read, or read in their new version. */
  building: readonly string[];
  /** What went wrong last; with the phase `stopped`, why nothing will happen until a restart. */
  error: string | undefined;
};

export type Runner = {
  start(): void;
  /** Finishes the page under way. */
  stop(): Promise<void>;
  state(): RunnerState;
};

/** Session-level: whoever holds it runs the projections. */
const runnerLock = 4_650_201;
const lockRetry = 1_000;
const firstBackoff = 100;
const longestBackoff = 5_000;
/** A node of the log may lag behind what was read from another for so long, in milliseconds. */
const lagPatience = 60_000;

/**
 * The log tells all that is in the read models, so a commit need not wait for the disk: what a crash of
 * Postgres takes away it takes away together with the checkpoint. Plans are kept while tables grow from
 * nothing, so the index is the only good way to a row.
 */
const setup = `
  set synchronous_commit = off;
  set enable_seqscan = off;
  set enable_hashjoin = off;
  set enable_mergejoin = off;
`;

/** Keeps the read models up to date: one process at a time does, the others stand by. */
export function createRunner(engine: Engine): Runner {
  const { logger } = engine;
  const state: { phase: RunnerState['phase']; atHead: boolean; error: string | undefined } = {
    phase: 'idle',
    atHead: false,
    error: undefined,
  };
  const building = new Set<string>();
  /** Whether an error of this process, or one before it, may stand beside the checkpoints. */
  let recorded = true;
  const stopping = new AbortController();
  let reload = new AbortController();
  let work: Promise<unknown> = Promise.resolve();

  async function run(): Promise<void> {
    let backoff = firstBackoff;
    let behindSince: number | undefined;
    while (!stopping.signal.aborted) {
      try {
        await stand(() => {
          backoff = firstBackoff;
        });
      } catch (error) {
        if (stopping.signal.aborted) return;
        state.error = describeError(error);
        behindSince = isBehind(error) ? (behindSince ?? performance.now()) : undefined;
        const mayHeal = behindSince !== undefined && performance.now() - behindSince < lagPatience;
        if (error instanceof ProjectionsHalted && !mayHeal) {
          await halt(error);
          return;
        }
        state.phase = 'standby';
        state.atHead = false;
        if (error instanceof LogUnavailable || behindSince !== undefined) await record('live', state.error);
        logger.error({ error: state.error }, 'the projections failed and will try again');
        await pause(backoff, stopping.signal);
        backoff = Math.min(backoff * 2, longestBackoff);
      }
    }
  }

  function isBehind(error: unknown): boolean {
    return engine.log.mayLag && error instanceof BehindReadModels;
  }

  /** Waits for its turn, then runs until something breaks. */
  async function stand(onTurn: () => void): Promise<void> {
    state.phase = 'standby';
    const session = await openSession(engine.connection, { pipeline: true, setup });
    try {
      while (!(await takesTurn(session))) {
        await pause(lockRetry, AbortSignal.any([stopping.signal, session.lost]));
        if (stopping.signal.aborted) return;
      }
      onTurn();
      await followInTurn(session);
    } finally {
      await session.end();
    }
  }

  async function followInTurn(session: Session): Promise<void> {
    while (!stopping.signal.aborted) {
      reload = new AbortController();
      const signal = AbortSignal.any([stopping.signal, session.lost, reload.signal]);
      state.phase = 'running';
      await follow(engine, session, signal, observe);
      session.lost.throwIfAborted();
    }
  }

  function observe(page: LogPage): void {
    state.atHead = page.atHead;
    state.error = undefined;
    if (recorded) void record('live', null);
  }

  /** So that every process can tell why the views stand still. */
  async function record(status: 'live' | 'stopped', error: string | null): Promise<void> {
    recorded = error !== null;
    await recordStatus(engine.pool, status, error).catch((failure: unknown) => {
      recorded = true;
      logger.warn({ error: describeError(failure) }, 'the state of the projections could not be recorded');
    });
  }

  async function halt(error: ProjectionsHalted): Promise<void> {
    state.phase = 'stopped';
    logger.error({ error: error.message }, 'the projections have stopped');
    if (!(error instanceof ForeignLog)) return;
    await record('stopped', error.message);
  }

  return {
    start: () => {
      if (state.phase !== 'idle') return;
      state.phase = 'standby';
      const built = buildMissingViews(engine, stopping.signal, building, () => {
        reload.abort();
      });
      work = Promise.all([run(), built]);
    },
    stop: async () => {
      stopping.abort();
      await work;
      if (state.phase !== 'stopped') state.phase = 'idle';
    },
    state: () => ({ ...state, building: [...building] }),
  };
}

async function takesTurn({ client }: Session): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    runnerLock,
  ]);
  return rows[0]?.taken === true;
}
