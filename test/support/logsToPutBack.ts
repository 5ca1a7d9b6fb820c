import type pg from 'pg';
import { createEventStoreDbEventLog } from '#infra/eventlog/eventstoredb/eventLog.ts';
import { createPostgresEventLog } from '#infra/eventlog/postgres/eventLog.ts';
import type { EventLog } from '#ports/eventLog.ts';
import type { TestDatabase } from '#test/support/database.ts';
import { EventStoreDbServer } from '#test/support/eventstoredb-server.ts';
import { until } from '#test/support/until.ts';
import { withoutTriggers } from '#test/support/withoutTriggers.ts';

/** A log that can be put back to an earlier state of it, as a backup of its server would. */
export type LogToPutBack = {
  log: EventLog;
  mark(): Promise<void>;
  /** To the state that was marked. */
  putBack(): Promise<void>;
  close(): Promise<void>;
};

export type LogsToPutBack = { name: string; open(database: TestDatabase): Promise<LogToPutBack> };

export const logsToPutBack: readonly LogsToPutBack[] = [
  {
    name: 'embedded',
    open: ({ pools, connection }) => {
      const log = createPostgresEventLog({ pool: pools.log, connection });
      let marked = 0;
      return Promise.resolve({
        log,
        mark: async () => {
          marked = Number((await log.head()) ?? 0);
        },
        putBack: async () => {
          const client = await pools.owner.connect();
          await withoutTriggers(client, () => deleteAfter(client, marked)).finally(() => {
            client.release();
          });
        },
        close: () => log.close(),
      });
    },
  },
  {
    name: 'EventStoreDB',
    open: async () => {
      const server = await EventStoreDbServer.start();
      const { connectionString } = server;
      const log = createEventStoreDbEventLog({ connectionString, streamPrefix: '', watchdog: 500 });
      let marked = 0;
      return {
        log,
        mark: () => {
          marked = server.log.records.length;
          return Promise.resolve();
        },
        putBack: async () => {
          server.stop();
          server.log.putBack(marked);
          await server.restart();
          await until(() =>
            log.head().then(
              () => true,
              () => false,
            ),
          );
        },
        close: async () => {
          await log.close();
          server.stop();
        },
      };
    },
  },
];

async function deleteAfter(client: pg.ClientBase, position: number): Promise<void> {
  await client.query('delete from event_log.events where position > $1', [position]);
  await client.query("select setval('event_log.events_position_seq', greatest($1::int8, 1), $1::int8 > 0)", [
    position,
  ]);
}
