import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { createPostgresEventLog } from '#infra/eventlog/postgres/eventLog.ts';
import type { Append, EventToAppend } from '#ports/eventLog.ts';
import type { JsonObject } from '#ports/json.ts';

const appendsAtOnce = 500;

/** Writes token events of one tenant: 60 % create, 30 % update, 10 % delete, each token's own in order. */
export async function writeTokenEvents(
  pool: pg.Pool,
  connection: pg.ClientConfig,
  tenantId: string,
  count: number,
): Promise<void> {
  const log = createPostgresEventLog({ pool, connection });
  const created = Math.round(count * 0.6);
  const updated = Math.round(count * 0.3);
  const deleted = count - created - updated;
  const ids = Array.from({ length: created }, () => randomUUID());
  const event = (type: string, data: JsonObject): EventToAppend => ({
    id: randomUUID(),
    type,
    data,
    metadata: {
      tenant_id: tenantId,
      actor: { type: 'application', id: 'b0ef66ae-2365-436e-86c5-9c60b7d18bb4' },
      trace_id: randomUUID(),
      command_id: randomUUID(),
      schema_version: 1,
      occurred_at: new Date().toISOString(),
    },
  });
  const stream = (id: string): string => `token-${tenantId}.${id}`;
  const batches = async (appends: readonly Append[]): Promise<void> => {
    for (let start = 0; start < appends.length; start += appendsAtOnce) {
      await log.appendAll(appends.slice(start, start + appendsAtOnce));
    }
  };
  await batches(
    ids.map((id) => ({
      stream: stream(id),
      expected: 'none',
      events: [event('token.created', { id, type: 'card', ...attributes() })],
    })),
  );
  await batches(
    ids.slice(0, updated).map((id) => ({
      stream: stream(id),
      expected: 0n,
      events: [event('token.updated', { id, previous_payload_id: randomUUID(), ...attributes() })],
    })),
  );
  await batches(
    ids.slice(created - deleted).map((id) => ({
      stream: stream(id),
      expected: 0n,
      events: [event('token.deleted', { id, payload_id: randomUUID() })],
    })),
  );
  await log.close();
}

const attributes = (): JsonObject => ({
  payload_id: randomUUID(),
  mask: {
    number: '{{ data.number | reveal_last: 4 }}',
    expiration_month: '{{ data.expiration_month }}',
    expiration_year: '{{ data.expiration_year }}',
  },
  containers: ['/pci/high/'],
  fingerprint_expression: '{{ data.number }}',
});
