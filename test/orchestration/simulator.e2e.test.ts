import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  refusedAuthorizations,
  refusedCaptures,
  refusedRefunds,
  refusedVoids,
} from '#infra/providers/sandbox/amounts.ts';
import { familyOf } from '#domain/transaction/errorCodes.ts';
import { act, givenCard, givenConnection, pay, read } from '#test/orchestration/support/payments.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; connection: string; card: string };

const simulator = suite<Context>('the amounts of the simulator');

simulator.before(async (context) => {
  context.service = await startVaultService();
  context.connection = await givenConnection(context.service);
  context.card = await givenCard(context.service);
});
simulator.after(({ service }) => service.close());

simulator(
  'given the amounts of the simulator, when each is authorized, then it ends as its row says',
  async ({ service, connection, card }) => {
    for (const [amount, errorCode] of refusedAuthorizations) {
      const made = await pay(service, { connection_id: connection, token: card, amount });
      assert.equal(
        [made.status, made.error_code, made.intent_outcome, made.authorized_amount],
        [`authorization_${familyOf(errorCode)}`, errorCode, 'failed', 0],
        String(amount),
      );
    }
  },
);

simulator(
  'given amounts that later steps fail at, when they are taken, then the transaction stays, with the code',
  async ({ service, connection, card }) => {
    const common = { connection_id: connection, token: card };
    const authorized = async (amount: number) => (await pay(service, { ...common, amount })).id;
    for (const [amount, errorCode] of refusedCaptures) {
      const { status, body } = await act(service, await authorized(amount), 'capture');
      assert.equal(
        [status, body.status, body.error_code, body.captured_amount],
        [200, 'authorization_succeeded', errorCode, 0],
      );
    }
    for (const [amount, errorCode] of refusedVoids) {
      const { status, body } = await act(service, await authorized(amount), 'void');
      assert.equal([status, body.status, body.error_code], [200, 'authorization_succeeded', errorCode]);
    }
    for (const [amount, errorCode] of refusedRefunds) {
      const { id } = await pay(service, { ...common, amount, intent: 'capture' });
      const { status, body } = await act(service, id, 'refunds');
      assert.equal([status, body.status, body.error_code], [201, familyOf(errorCode), errorCode]);
      const after = await read(service, id);
      assert.equal([after.status, after.refunded_amount], ['capture_succeeded', 0]);
    }
  },
);

simulator.run();
