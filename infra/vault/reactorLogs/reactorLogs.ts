import type pg from 'pg';
import {
  deleteLogRows,
  insertLogRows,
  keptFor,
  selectLogRows,
  trimLogRows,
} from '#infra/vault/reactorLogs/rows.ts';
import type { Json } from '#ports/json.ts';
import { keptInvocations } from '#ports/reactorLogs.ts';
import type { InvocationLog, ReactorLogs } from '#ports/reactorLogs.ts';
import { TenantKeysMissing } from '#ports/vault.ts';
import type { Vault } from '#ports/vault.ts';

const day = 24 * 60 * 60_000;

export type ReactorLogsSettings = {
  /** Connections in the role `holdfast_api`. */
  pool: pg.Pool;
  vault: Vault;
};

/**
 * A row says that there is a log, and a payload, which forgets itself, what it says. The row is written first, and
 * looked for once more afterwards: whoever takes it away meanwhile finds no payload to remove.
 */
export function createReactorLogs({ pool, vault }: ReactorLogsSettings): ReactorLogs {
  const store = async (
    tenantId: string,
    reactorId: string,
    logs: readonly InvocationLog[],
  ): Promise<boolean> => {
    try {
      await vault.storeAll(
        logs.map((log) => ({
          id: log.id,
          tenantId,
          stream: streamOf(reactorId),
          data: toJson(log),
          expiresAt: new Date(log.startedAt.getTime() + keptFor * day),
        })),
      );
      return true;
    } catch (error) {
      if (error instanceof TenantKeysMissing) return false;
      throw error;
    }
  };
  const forget = async (tenantId: string, reactorIds?: readonly string[]): Promise<void> => {
    await vault.remove(tenantId, await deleteLogRows(pool, tenantId, reactorIds));
  };

  return {
    keep: async (tenantId, reactorId, logs) => {
      const newest = [...logs]
        .sort((one, other) => other.startedAt.getTime() - one.startedAt.getTime())
        .slice(0, keptInvocations);
      if (newest.length === 0) return;
      await insertLogRows(
        pool,
        tenantId,
        reactorId,
        newest.map(({ id, startedAt }) => ({ invocationId: id, startedAt })),
      );
      if (!(await store(tenantId, reactorId, newest))) {
        await forget(tenantId, [reactorId]);
        return;
      }
      const ids = newest.map(({ id }) => id);
      await vault.remove(tenantId, await trimLogRows(pool, tenantId, reactorId, keptInvocations, ids));
    },
    list: async (tenantId, reactorId) => {
      const ids = await selectLogRows(pool, tenantId, reactorId);
      const stream = streamOf(reactorId);
      const payloads = await vault.read(
        tenantId,
        ids.map((id) => ({ id, stream })),
      );
      const found = await Promise.all(
        payloads.map(async (payload) => {
          const data = await payload?.data();
          return payload === undefined || data === undefined ? [] : [fromJson(payload.id, data)];
        }),
      );
      return found.flat();
    },
    forget: async (tenantId, reactorIds) => {
      if (reactorIds.length > 0) await forget(tenantId, reactorIds);
    },
    forgetTenant: (tenantId) => forget(tenantId),
  };
}

/** No stream of the log: it binds what is kept to its reactor. */
const streamOf = (reactorId: string): string => `reactor_logs.${reactorId}`;

/** As it lies in the vault: its members never change their meaning. */
const toJson = ({ traceId, startedAt, milliseconds, outcome, status, lines }: InvocationLog): Json => ({
  trace_id: traceId,
  started_at: startedAt.toISOString(),
  milliseconds,
  outcome,
  status: status ?? null,
  lines: lines.map(({ level, text }) => [level, text]),
});

function fromJson(id: string, data: Json): InvocationLog {
  const { trace_id, started_at, milliseconds, outcome, status, lines } = data as {
    trace_id: string;
    started_at: string;
    milliseconds: number;
    outcome: InvocationLog['outcome'];
    status: number | null;
    lines: [InvocationLog['lines'][number]['level'], string][];
  };
  return {
    id,
    traceId: trace_id,
    startedAt: new Date(started_at),
    milliseconds,
    outcome,
    status: status ?? undefined,
    lines: lines.map(([level, text]) => ({ level, text })),
  };
}
