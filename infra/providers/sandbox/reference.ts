import { hash } from 'node:crypto';

/** What a transaction id of the sandbox says: there is no other memory of the authorization. */
export type SandboxReference = { authorizedAmount: number; intent: 'authorize' | 'capture' };

const form = /^sbx_(?<amount>\d{1,15})(?<intent>[ac])_[0-9a-f]{24}$/;

/** The same for every repetition of a call, whatever process answers it. */
export function transactionIdOf(
  tenantId: string,
  idempotencyKey: string,
  reference: SandboxReference,
): string {
  const head = `sbx_${reference.authorizedAmount}${reference.intent === 'authorize' ? 'a' : 'c'}`;
  return `${head}_${digestOf(tenantId, idempotencyKey, head)}`;
}

/** Of a capture, void or refund. */
export const operationIdOf = (tenantId: string, idempotencyKey: string): string =>
  `sbxop_${digestOf(tenantId, idempotencyKey, 'operation')}`;

/** `undefined`: no id of the sandbox. */
export function readTransactionId(id: string): SandboxReference | undefined {
  const { amount, intent } = form.exec(id)?.groups ?? {};
  if (amount === undefined) return undefined;
  return { authorizedAmount: Number(amount), intent: intent === 'a' ? 'authorize' : 'capture' };
}

const digestOf = (...parts: readonly string[]): string => hash('sha256', JSON.stringify(parts)).slice(0, 24);
