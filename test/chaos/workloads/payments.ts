import { randomUUID } from 'node:crypto';
import type { Entry } from '#test/chaos/support/ledger.ts';
import { describe, forEach, insist, insistOnce } from '#test/chaos/support/world.ts';
import type { World } from '#test/chaos/support/world.ts';
import { until } from '#test/support/until.ts';
import type { Workload } from '#test/chaos/workloads/workload.ts';

type Transaction = { id: string; status: string; captured_amount: number };

const amount = 1_050;
const path = '/orchestration/transactions';
/** What nobody came back for is settled by the worker within this, in milliseconds. */
const settled = 90_000;

/** Payments in the sandbox, half of them captured, each step under an idempotency key until there is an answer. */
export const paymentsWorkload = (): Workload => ({
  name: 'payments',
  weight: 2,
  act: async (world) => {
    const operation = randomUUID();
    await world.ledger.asked({ kind: 'pay', operation });
    const { connectionId: connection_id, cardId: token } = world;
    const body = { amount, currency: 'USD', connection_id, token, external_identifier: operation };
    const paid = await insistOnce(world, path, body, operation);
    if (paid.status !== 201) {
      world.verdict.wrong.push(describe(['POST', path], paid));
      return;
    }
    await world.ledger.acknowledge({ kind: 'pay', operation });
    const { id, status } = paid.body as Transaction;
    if (status === 'authorization_succeeded' && world.random(2) === 0) await capture(world, operation, id);
  },
  verify: async (world, entries) => {
    const steps = stepsIn(entries);
    await forEach(steps, ([operation, { isPaid, isCaptured }]) =>
      verifyPayment(world, operation, isPaid, isCaptured),
    );
  },
});

async function capture(world: World, operation: string, id: string): Promise<void> {
  const deed = { kind: 'capture', operation } as const;
  await world.ledger.asked(deed);
  const { status, body } = await insistOnce(world, `${path}/${id}/capture`, {}, `capture ${operation}`);
  // It may also say that the provider was not reached, or has not answered yet.
  const isCaptured = status === 200 && (body as Transaction).captured_amount === amount;
  if (isCaptured) await world.ledger.acknowledge(deed);
}

async function verifyPayment(
  world: World,
  operation: string,
  isPaid: boolean,
  isCaptured: boolean,
): Promise<void> {
  const { verdict } = world;
  const find = async (): Promise<Transaction[]> => {
    const { body } = await insist(world, 'GET', `${path}?external_identifier=${operation}`);
    return (body as { data: Transaction[] }).data;
  };
  const found = await until(async () => {
    const transactions = await find();
    return transactions.every(({ status }) => !/processing|pending/.test(status)) && transactions;
  }, settled).catch(async () => {
    verdict.wrong.push(`payment ${operation} is still open: ${JSON.stringify(await find())}`);
    return [];
  });
  const [transaction] = found;
  if (found.length > 1) verdict.doubled.push(`${found.length} payments of ${operation}`);
  if (transaction === undefined) {
    if (isPaid) verdict.lost.push(`payment ${operation}`);
    return;
  }
  if (isCaptured && transaction.captured_amount < amount) verdict.lost.push(`the capture of ${operation}`);
  if (transaction.captured_amount > amount) verdict.doubled.push(`the capture of ${operation}`);
}

function stepsIn(entries: readonly Entry[]): Map<string, { isPaid: boolean; isCaptured: boolean }> {
  const steps = new Map<string, { isPaid: boolean; isCaptured: boolean }>();
  for (const { at, deed } of entries) {
    if (deed.kind !== 'pay' && deed.kind !== 'capture') continue;
    const step = steps.get(deed.operation) ?? { isPaid: false, isCaptured: false };
    steps.set(deed.operation, step);
    if (at === 'acknowledged') step[deed.kind === 'pay' ? 'isPaid' : 'isCaptured'] = true;
  }
  return steps;
}
