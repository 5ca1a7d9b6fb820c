import type pg from 'pg';
import { asRole } from '#infra/postgres/connection.ts';
import type { Connection } from '#infra/postgres/connection.ts';
import { pause } from '#infra/backoff.ts';
import { Listener } from '#infra/postgres/listener.ts';
import { OutstandingPositions } from '#infra/postgres/outstanding.ts';
import { createParkedStreams } from '#infra/postgres/parkedStreams.ts';
import type { EventLog, Position } from '#ports/eventLog.ts';
import type { Logger } from '#ports/logger.ts';
import type { Views } from '#ports/views.ts';
import type { Announcement } from '#projections/engine/announcement.ts';
import { parseAnnouncement, viewsChannel } from '#projections/engine/announcement.ts';
import { earliest, later, readCheckpoints } from '#projections/engine/checkpoints.ts';

/** The longest wait, in milliseconds; also how far the runner may be behind for a wait to make sense. */
const patience = 2_000;
/** A notification may be lost with its connection: while someone waits the checkpoints are read this often. */
const pollInterval = 250;
/** Caches trust what they hold for a second after the feed was heard last, so it is asked more often. */
const heartbeat = 250;

/** Ids of the applications whose access changed, or everything that is known of access. */
export type Invalidation = readonly string[] | 'all';

export type PostgresViews = Views & {
  /** Calls back when cached access must be dropped, until the returned function is called. */
  onInvalidation(listener: (invalidation: Invalidation) => void): () => void;
  /**
   * On the clock of `performance.now()`: every invalidation that was committed before has been told;
   * `-Infinity` before anything was heard.
   */
  lastHeardAt(): number;
  close(): Promise<void>;
};

export type ViewsOptions = {
  /** Reads the checkpoints; the role `holdfast_api` is enough. */
  pool: pg.Pool;
  /** For the connection of its own that listens. */
  connection: Connection;
  log: Pick<EventLog, 'comparePositions'>;
  logger?: Logger;
};

/** What this process knows of the read models, told by the runner's notifications. */
export function createViews({ pool, connection, log, logger }: ViewsOptions): PostgresViews {
  const outstanding = new OutstandingPositions((a, b) => log.comparePositions(a, b));
  const parked = createParkedStreams(pool);
  const invalidationListeners = new Set<(invalidation: Invalidation) => void>();
  const closed = new AbortController();
  let applied: Position | null = null;
  let polling: Promise<void> | undefined;

  function learn(position: Position | null): void {
    applied = later(log, applied, position);
    if (applied !== null) outstanding.settleUpTo(applied);
  }

  function invalidate({ applications, all }: Pick<Announcement, 'applications' | 'all'>): void {
    const invalidation = all === true ? 'all' : applications;
    if (invalidation === undefined) return;
    for (const listener of invalidationListeners) listener(invalidation);
  }

  function hear(payload: string): void {
    const announcement = parseAnnouncement(payload);
    if (announcement === undefined) return;
    // Whoever is let go by the position must not meet access from before it.
    invalidate(announcement);
    if (announcement.parked === true) {
      void readParked().then(() => {
        learn(announcement.position);
      });
    } else {
      learn(announcement.position);
    }
  }

  async function readParked(): Promise<void> {
    await parked.refresh().catch((error: unknown) => {
      logger?.warn({ err: error }, 'the streams that views could not take could not be read');
    });
  }

  async function readApplied(): Promise<void> {
    try {
      const checkpoints = await readCheckpoints(pool);
      learn(
        earliest(
          log,
          checkpoints.map(({ position }) => position),
        ),
      );
    } catch (error) {
      logger?.debug({ err: error }, 'the checkpoints of the views could not be read');
    }
  }

  async function pollWhileWaitedFor(): Promise<void> {
    while (!outstanding.isEmpty && !closed.signal.aborted) {
      await pause(pollInterval, closed.signal);
      if (!outstanding.isEmpty) await readApplied();
    }
    polling = undefined;
  }

  const listener = new Listener({
    connection: asRole(connection, 'api').config,
    heartbeat,
    logger,
    onReconnect: () => {
      invalidate({ all: true });
      void readParked().then(readApplied);
    },
  });
  listener.listen(viewsChannel, hear);

  return {
    waitFor: (position) => {
      if (applied !== null && log.comparePositions(applied, position) >= 0) return Promise.resolve('applied');
      const { first } = outstanding;
      const now = performance.now();
      const isFarBehind = first !== undefined && now - first.since > patience;
      if (isFarBehind || closed.signal.aborted) return Promise.resolve('late');
      const { promise, resolve } = Promise.withResolvers<'applied' | 'late'>();
      const timer = setTimeout(() => {
        resolve('late');
      }, patience);
      outstanding.add({
        position,
        since: now,
        onApplied: () => {
          clearTimeout(timer);
          resolve('applied');
        },
      });
      polling ??= pollWhileWaitedFor();
      return promise;
    },
    isParked: (tenantId, id) => parked.has(tenantId, id),
    onInvalidation: (listening) => {
      invalidationListeners.add(listening);
      return () => {
        invalidationListeners.delete(listening);
      };
    },
    lastHeardAt: () => listener.lastHeardAt,
    close: async () => {
      closed.abort();
      await listener.close();
      await polling;
    },
  };
}
