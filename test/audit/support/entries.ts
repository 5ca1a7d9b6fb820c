import * as assert from 'uvu/assert';
import type { VaultService } from '#test/support/vaultService.ts';

export type Row = Record<string, string | number | null>;

export const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };

/** Empties the audit log: what a test finds in it is its own. */
export async function forget({ composition }: VaultService): Promise<void> {
  await composition.pools.owner.query('truncate audit.entries');
}

/** What requests left: entries of events come by themselves, a moment later. */
export async function entries({ composition }: VaultService): Promise<Row[]> {
  const { rows } = await composition.pools.owner.query<Row>(
    `select tenant_id, actor_type, actor_id, operation, entity_type, entity_id, outcome, status, detail, address,
       trace_id
     from audit.entries where event_id is null order by writer_id, sequence`,
  );
  return rows;
}

/** What was done to what, with which outcome. */
export const brief = async (service: VaultService): Promise<unknown[][]> =>
  (await entries(service)).map((row) =>
    ['operation', 'entity_type', 'entity_id', 'outcome', 'status', 'detail'].map((name) => row[name]),
  );

export async function newToken(service: VaultService, body: object = {}): Promise<string> {
  const reply = await service.call<{ id: string }>('POST', '/tokens', { type: 'card', data: card, ...body });
  assert.is(reply.status, 201);
  return reply.body.id;
}
