import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TransactionInput } from '#domain/transaction/input.ts';
import { openCalls } from '#domain/transaction/state.ts';
import type { Transaction } from '#domain/transaction/state.ts';
import { randomId, resourceId } from '#src/identifiers.ts';
import { createTransaction } from '#src/orchestration/createTransaction.ts';
import { takeNotification } from '#src/orchestration/notify.ts';
import { reconciliationId } from '#domain/transaction/reconciliationId.ts';
import { Steps } from '#test/orchestration/support/crashes.ts';
import { World, givenInput, untilCrash } from '#test/orchestration/support/world.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; input: TransactionInput };

const reversals = suite<Context>('payments that were made after they had been counted as failed');
const minute = 60_000;

reversals.before(async (context) => {
  context.service = await startVaultService();
  context.input = await givenInput(context.service);
});
reversals.after(({ service }) => service.close());

async function present(world: World, id: string): Promise<Transaction> {
  const state = await world.stateOf(id);
  if (state.status === 'absent') throw new Error('there is no transaction');
  return state;
}

/** A payment that the provider made, and said that it had not until it was given up. */
async function givenUp(world: World, input: TransactionInput): Promise<Transaction> {
  world.provider.hide();
  const commandId = randomId();
  await createTransaction(world.dependencies(), world.contextOf(commandId, false), input);
  const id = resourceId(commandId, 'transaction');
  world.clock.advance(6 * minute);
  await world.reconcile();
  world.provider.reveal();
  const state = await present(world, id);
  assert.equal([state.status, state.errorCode], ['authorization_failed', 'service_network_error']);
  assert.is(world.times('authorize', id), 1);
  return state;
}

/** The provider says that it was made. */
const tell = ({ service }: Context, world: World, made: Transaction, captured: boolean): Promise<string> => {
  const notice = {
    id: randomId(),
    operation: 'authorize',
    transactionId: `paid-${reconciliationId(made.id)}`,
    reconciliationId: reconciliationId(made.id),
    outcome: {
      status: 'succeeded',
      amount: made.amount,
      captured,
      facts: { transactionId: `paid-${reconciliationId(made.id)}` },
    },
  };
  return takeNotification(
    world.dependencies(),
    { tenantId: service.tenantId, connectionId: made.connection.id },
    { headers: {}, body: Buffer.from(JSON.stringify(notice)) },
  );
};

for (const [captured, operation] of [
  [false, 'void'],
  [true, 'refund'],
] as const) {
  reversals(
    `given a crash at every boundary, when what was made late is given back by a ${operation}, then it is, once`,
    async (context) => {
      const { service, input } = context;
      const scenario = async (crashAt: number): Promise<number> => {
        const world = new World(service);
        const made = await givenUp(world, { ...input, intent: captured ? 'capture' : 'authorize' });
        await tell(context, world, made, captured);
        await tell(context, world, made, captured);
        const steps = new Steps(crashAt);
        world.clock.advance(minute);
        // A worker catches what befalls one payment, and comes again.
        await untilCrash(world.reconcile(steps));
        for (let elapsed = 0; elapsed < 2 * minute; elapsed += minute / 4) {
          world.clock.advance(minute / 4);
          await world.reconcile();
        }
        const after = await present(world, made.id);
        const where = `boundary ${crashAt}`;
        assert.equal(
          [after.status, after.errorCode],
          ['authorization_failed', 'service_network_error'],
          where,
        );
        assert.equal(openCalls(after), [], where);
        assert.equal(
          after.calls.map((call) => [call.operation, call.progress]),
          [
            ['authorization', 'reversed'],
            ['reversal', 'done'],
          ],
          where,
        );
        assert.is(world.times(operation, made.id), 1, where);
        return steps.boundaries;
      };
      const boundaries = await scenario(Infinity);
      assert.ok(boundaries >= 6, `only ${boundaries} boundaries`);
      for (let crashAt = 1; crashAt <= boundaries; crashAt += 1) await scenario(crashAt);
    },
  );
}

reversals(
  'given a provider that cannot be reached, when something is to be given back, then it is tried until it is',
  async (context) => {
    const world = new World(context.service);
    const made = await givenUp(world, context.input);
    await tell(context, world, made, false);
    const { void: release, find } = world.provider;
    world.provider.void = () => Promise.resolve({ status: 'not_done', reason: 'unreachable' });
    world.provider.find = () => Promise.resolve({ status: 'not_found' });
    for (let hours = 0; hours < 5; hours += 1) {
      world.clock.advance(60 * minute);
      await world.reconcile();
    }
    assert.is(openCalls(await present(world, made.id)).length, 1);
    Object.assign(world.provider, { void: release, find });
    world.clock.advance(24 * 60 * minute);
    await world.reconcile();
    assert.equal(openCalls(await present(world, made.id)), []);
    assert.is(world.times('void', made.id), 1);
  },
);

reversals.run();
