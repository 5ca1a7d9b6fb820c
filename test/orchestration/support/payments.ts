import * as assert from 'uvu/assert';
import { until } from '#test/support/until.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

export type Transaction = {
  id: string;
  status: string;
  intent_outcome: string;
  amount: number;
  authorized_amount: number;
  captured_amount: number;
  refunded_amount: number;
  error_code: string | null;
  auth_response_code: string | null;
  cvv_response_code: string | null;
  scheme_transaction_id: string | null;
  connection_transaction_id: string | null;
  reconciliation_id: string;
  payment_method: Record<string, unknown> & { approval_url: string | null };
  approval_expires_at: string | null;
} & Record<string, unknown>;

export type Problem = { status: number; detail: string; errors?: Record<string, string[]> };

type Made = Pick<VaultService, 'call'>;

/** A connection to the sandbox that payments can be made through. */
export async function givenConnection({ call }: Made, changes: object = {}, key?: string): Promise<string> {
  const body = {
    connection_formula_id: 'sandbox-card',
    method: 'card',
    display_name: 'Sandbox',
    fields: [{ key: 'merchant_id', value: 'mine' }],
    accepted_countries: ['US', 'DE'],
    accepted_currencies: ['USD', 'EUR'],
    active: true,
    ...changes,
  };
  const options = key === undefined ? {} : { key };
  const reply = await call<{ id: string }>('POST', '/orchestration/connections', body, options);
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.id;
}

/** A card token. */
export async function givenCard({ call }: Made, changes: object = {}, attributes: object = {}, key?: string) {
  const data = { number: '4111111111111111', expiration_month: 12, expiration_year: 2040, cvc: '123' };
  const body = { type: 'card', data: { ...data, ...changes }, ...attributes };
  const options = key === undefined ? {} : { key };
  const reply = await call<{ id: string }>('POST', '/tokens', body, options);
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.id;
}

export const ask = <Body = Transaction>(
  { call }: Made,
  body: object,
  options: Parameters<VaultService['call']>[3] = {},
): Promise<Reply<Body>> => call<Body>('POST', '/orchestration/transactions', body, options);

/** A transaction, whatever the provider makes of it. */
export async function pay(service: Made, body: object): Promise<Transaction> {
  const reply = await ask(service, { amount: 1050, currency: 'USD', ...body });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

export const act = <Body = Transaction>(
  { call }: Made,
  id: string,
  what: string,
  body?: object,
): Promise<Reply<Body>> => call<Body>('POST', `/orchestration/transactions/${id}/${what}`, body);

export const read = async ({ call }: Made, id: string): Promise<Transaction> =>
  (await call<Transaction>('GET', `/orchestration/transactions/${id}`)).body;

export const becomes = ({ call }: Made, id: string, status: string): Promise<Transaction> =>
  until(async () => {
    const { body } = await call<Transaction>('GET', `/orchestration/transactions/${id}`);
    return body.status === status ? body : undefined;
  }, 120_000);

export async function historyOf(
  { call, keys }: Pick<VaultService, 'call' | 'keys'>,
  id: string,
): Promise<string[]> {
  const path = `/orchestration/transactions/${id}/history?size=100`;
  const { body } = await call<{ data: { type: string }[] }>('GET', path, undefined, { key: keys.management });
  return body.data.map(({ type }) => type.replace('transaction.', ''));
}
