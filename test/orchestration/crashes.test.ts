import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createOpenPayments } from '#infra/postgres/openPayments.ts';
import type { CommandContext } from '#commands/context.ts';
import { foldStream } from '#domain/fold.ts';
import { transactionStream } from '#domain/transaction/events.ts';
import { transactionFold } from '#domain/transaction/evolve.ts';
import { checkTransactionInput } from '#domain/transaction/input.ts';
import type { TransactionInput } from '#domain/transaction/input.ts';
import { reconciliationId } from '#domain/transaction/reconciliationId.ts';
import { openCalls } from '#domain/transaction/state.ts';
import type { TransactionState } from '#domain/transaction/state.ts';
import { Refused } from '#src/errors.ts';
import { randomId, resourceId } from '#src/identifiers.ts';
import { compose } from '#src/main/compose.ts';
import type { Composition } from '#src/main/compose.ts';
import { createTransaction } from '#src/orchestration/createTransaction.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { captureTransaction } from '#src/orchestration/steps.ts';
import { seededRandom } from '#src/seededRandom.ts';
import { reconcilePayments } from '#src/timers/payments.ts';
import { createCountingProvider } from '#test/orchestration/support/countingProvider.ts';
import type { CountingProvider } from '#test/orchestration/support/countingProvider.ts';
import { Crash, Steps } from '#test/orchestration/support/crashes.ts';
import { givenCard, givenConnection } from '#test/orchestration/support/payments.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; input: TransactionInput };

const crashes = suite<Context>('crashes in the middle of payments');
const seeds = [1, 2, 3, 4];
/** Virtual milliseconds. */
const tick = 5_000;
const deadline = 60_000;

crashes.before(async (context) => {
  const service = await startVaultService();
  const connection_id = await givenConnection(service);
  await until(async () => {
    const { body } = await service.call<{ id: string; status: string }[]>(
      'GET',
      '/orchestration/connections',
    );
    return body.some(({ status }) => status === 'available');
  });
  const token = await givenCard(service);
  const checked = checkTransactionInput({ amount: 1050, currency: 'USD', connection_id, token });
  if (!checked.valid) throw new Error('the input of the test is wrong');
  Object.assign(context, { service, input: checked.input });
});
crashes.after(({ service }) => service.close());

/** A time that passes when the test says so. */
class VirtualClock {
  #now = Date.now();
  readonly now = (): Date => new Date(this.#now);
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

type World = { service: VaultService; clock: VirtualClock; provider: CountingProvider };

const dependenciesOf = (
  composition: Composition,
  { clock, provider }: World,
  steps = new Steps(Infinity),
): PaymentDependencies => {
  const guarded = steps.guard(provider, ['authorize', 'capture', 'find']);
  return {
    ...composition,
    clock,
    publicUrl: 'https://vault.example',
    logger: silentLogger,
    log: steps.guard(composition.log, ['append', 'readStream']),
    vault: steps.guard(composition.vault, ['store', 'read']),
    audit: steps.guard(composition.audit, ['record']),
    paymentProviders: () => guarded,
  };
};

type Client = { create: string; capture: string };

const contextOf = (tenantId: string, commandId: string, repeated: boolean): CommandContext => ({
  tenantId,
  actor: { type: 'application', id: randomId() },
  rights: { permissions: ['token:use', 'orchestration:transaction:capture'], rules: [] },
  traceId: randomId(),
  commandId,
  repeated,
});

/** What a client does: authorizes, then captures; again under the same ids when it was cut off. */
async function buy(
  dependencies: PaymentDependencies,
  tenantId: string,
  input: TransactionInput,
  client: Client,
  repeated: boolean,
): Promise<void> {
  const { result } = await createTransaction(
    dependencies,
    contextOf(tenantId, client.create, repeated),
    input,
  );
  if (result.status !== 'authorization_succeeded') return;
  await captureTransaction(dependencies, contextOf(tenantId, client.capture, repeated), result.id, {});
}

async function stateOf({ composition, tenantId }: VaultService, id: string): Promise<TransactionState> {
  return foldStream(transactionFold, await composition.log.readStream(transactionStream(tenantId, id)));
}

/** One purchase that is cut off at a boundary, and what becomes of it. Answers how many boundaries it came to. */
async function scenario(
  { service, input }: Context,
  seed: number | undefined,
  crashAt: number,
  clientReturns: boolean,
): Promise<number> {
  const random = seededRandom('client', String(seed), String(crashAt));
  const clock = new VirtualClock();
  const world = {
    service,
    clock,
    provider: createCountingProvider(seed === undefined ? undefined : `${seed} ${crashAt}`, clock.now),
  };
  const { tenantId, composition } = service;
  const client = { create: randomId(), capture: randomId() };
  const id = resourceId(client.create, 'transaction');
  const steps = new Steps(crashAt);
  await buy(dependenciesOf(composition, world, steps), tenantId, input, client, false).catch(
    (error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    },
  );
  const restarted = await compose(composition.config, composition.connection, silentLogger, {
    sizes: { owner: 2, api: 2, vault: 2, log: 2 },
  });
  try {
    const dependencies = dependenciesOf(restarted, world);
    const reconcile = reconcilePayments(dependencies, createOpenPayments(restarted.pools.owner));
    const returnsAt = clientReturns ? random(6) * tick : Infinity;
    for (let elapsed = 0; elapsed < deadline; elapsed += tick, clock.advance(tick)) {
      if (elapsed >= returnsAt) {
        // Until it has been told how it ended.
        await buy(dependencies, tenantId, input, client, true).catch((error: unknown) => {
          if (!(error instanceof Refused)) throw error;
        });
      }
      const head = await restarted.log.head();
      if (head !== null) await composition.views.waitFor(head);
      await reconcile.run();
    }
  } finally {
    await restarted.close();
  }
  const state = await stateOf(service, id);
  const where = `seed ${seed}, boundary ${crashAt}, ${clientReturns ? 'client returns' : 'client gone'}`;
  const short = reconciliationId(id);
  const done = world.provider.done.filter((one) => one.reconciliationId === short);
  const times = (operation: string): number => done.filter((one) => one.operation === operation).length;
  if (clientReturns) {
    assert.is(state.status, 'capture_succeeded', where);
    assert.equal([times('authorize'), times('capture')], [1, 1], where);
  } else if (state.status === 'absent') {
    assert.equal(done, [], where);
  } else {
    const asked = state.calls.filter(({ operation }) => operation === 'capture').length;
    assert.equal(openCalls(state), [], where);
    assert.equal([times('authorize'), times('capture')], [1, asked], where);
    assert.is(state.status, asked === 1 ? 'capture_succeeded' : 'authorization_succeeded', where);
  }
  return steps.boundaries;
}

for (const clientReturns of [true, false]) {
  crashes(
    `given a crash at every boundary, when ${clientReturns ? 'the client comes back' : 'nobody comes back'}, then money moved once for each step, and is accounted for within a minute`,
    async (context) => {
      const boundaries = await scenario(context, undefined, Infinity, clientReturns);
      assert.ok(boundaries >= 24, `only ${boundaries} boundaries`);
      for (const seed of seeds) {
        for (let crashAt = 1; crashAt <= boundaries; crashAt += 1) {
          await scenario(context, seed, crashAt, clientReturns);
        }
      }
    },
  );
}

crashes.run();
