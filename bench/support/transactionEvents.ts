import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { createPostgresEventLog } from '#infra/eventlog/postgres/eventLog.ts';
import type { Append, EventToAppend } from '#ports/eventLog.ts';
import type { JsonObject } from '#ports/json.ts';

const appendsAtOnce = 500;

/** Writes transactions of one tenant that were authorized: three events each, a millisecond apart. */
export async function writeTransactionEvents(
  pool: pg.Pool,
  connection: pg.ClientConfig,
  tenantId: string,
  count: number,
): Promise<void> {
  const log = createPostgresEventLog({ pool, connection });
  const began = Date.now() - count;
  const event = (at: number, type: string, data: JsonObject): EventToAppend => ({
    id: randomUUID(),
    type: `transaction.${type}`,
    data,
    metadata: {
      tenant_id: tenantId,
      actor: { type: 'application', id: 'b0ef66ae-2365-436e-86c5-9c60b7d18bb4' },
      trace_id: randomUUID(),
      command_id: randomUUID(),
      schema_version: 1,
      occurred_at: new Date(at).toISOString(),
    },
  });
  const append = (index: number): Append => {
    const id = randomUUID();
    const call_id = randomUUID();
    const at = began + index;
    return {
      stream: `transaction-${tenantId}.${id}`,
      expected: 'none',
      events: [
        event(at, 'created', created(id, index)),
        event(at, 'authorization_requested', { id, call_id, amount: 1050 }),
        event(at, 'authorization_succeeded', { id, call_id, authorized_amount: 1050 }),
      ],
    };
  };
  for (let start = 0; start < count; start += appendsAtOnce) {
    const many = Math.min(appendsAtOnce, count - start);
    await log.appendAll(Array.from({ length: many }, (_, index) => append(start + index)));
  }
  await log.close();
}

const connection = {
  id: randomUUID(),
  display_name: 'Sandbox',
  method: 'card',
  connection_formula_id: 'sandbox-card',
};

const created = (id: string, index: number): JsonObject => ({
  id,
  token_id: randomUUID(),
  connection,
  scheme: 'visa',
  amount: 1050,
  currency: 'USD',
  external_identifier: `order ${index}`,
  intent: 'authorize',
  is_subsequent_payment: false,
  merchant_initiated: false,
  payment_source: 'ecommerce',
});
