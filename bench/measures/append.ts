import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createPostgresEventLog } from '#infra/eventlog/postgres/eventLog.ts';
import type { EventLog } from '#ports/eventLog.ts';
import { interleave } from '#bench/support/rounds.ts';
import type { Duration, Measured } from '#bench/support/rounds.ts';
import { startBenchService } from '#bench/support/service.ts';

const callers = 64;

/** Appends of one event to new streams: coalesced against a transaction each. */
export async function measureAppend({ rounds, seconds }: Duration): Promise<Measured> {
  const service = await startBenchService(1);
  const pool = new pg.Pool({ ...service.connection, max: callers });
  const { connection } = service;
  const coalesced = createPostgresEventLog({ pool, connection });
  const alone = createPostgresEventLog({ pool, connection, batchSize: 1 });
  try {
    await appendsPerSecond(coalesced, 1);
    return {
      name: `event log, ${callers} callers`,
      unit: 'appends/s',
      target: 4,
      rounds: await interleave(
        rounds,
        () => appendsPerSecond(alone, seconds),
        () => appendsPerSecond(coalesced, seconds),
      ),
      notes: ['control: the same engine with one append a transaction'],
    };
  } finally {
    await coalesced.close();
    await alone.close();
    await pool.end();
    await service.stop();
  }
}

async function appendsPerSecond(log: EventLog, seconds: number): Promise<number> {
  const tenant = randomUUID();
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  let appended = 0;
  const call = async (): Promise<void> => {
    while (performance.now() < until) {
      const id = randomUUID();
      await log.append(`bench-${tenant}.${id}`, 'none', [
        {
          id,
          type: 'token.deleted',
          data: { id, payload_id: id, padding: 'x'.repeat(300) },
          metadata: {
            tenant_id: tenant,
            actor: { type: 'system', id: 'bench' },
            trace_id: id,
            command_id: id,
            schema_version: 1,
            occurred_at: '2026-01-01T00:00:00.000Z',
          },
        },
      ]);
      appended++;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  return (appended * 1_000) / (performance.now() - startedAt);
}
