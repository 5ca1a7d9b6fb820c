import type { CommandContext } from '#commands/context.ts';
import { foldStream } from '#domain/fold.ts';
import { transactionStream } from '#domain/transaction/events.ts';
import { transactionFold } from '#domain/transaction/evolve.ts';
import { checkTransactionInput } from '#domain/transaction/input.ts';
import type { TransactionInput } from '#domain/transaction/input.ts';
import { reconciliationId } from '#domain/transaction/reconciliationId.ts';
import type { TransactionState } from '#domain/transaction/state.ts';
import { createOpenPayments } from '#infra/postgres/openPayments.ts';
import { randomId } from '#src/identifiers.ts';
import { compose } from '#src/main/compose.ts';
import type { Composition } from '#src/main/compose.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { reconcilePayments } from '#src/timers/payments.ts';
import { createCountingProvider } from '#test/orchestration/support/countingProvider.ts';
import { Crash, Steps } from '#test/orchestration/support/crashes.ts';
import { givenCard, givenConnection } from '#test/orchestration/support/payments.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { until } from '#test/support/until.ts';
import type { VaultService } from '#test/support/vaultService.ts';

/** A card and an available connection, as the body of a payment. */
export async function givenInput(service: VaultService): Promise<TransactionInput> {
  const connection_id = await givenConnection(service);
  await until(async () => {
    const { body } = await service.call<{ id: string; status: string }[]>(
      'GET',
      '/orchestration/connections',
    );
    return body.some(({ id, status }) => id === connection_id && status === 'available');
  });
  const token = await givenCard(service);
  const checked = checkTransactionInput({ amount: 1050, currency: 'USD', connection_id, token });
  if (!checked.valid) throw new Error('the input of the test is wrong');
  return checked.input;
}

/** A time that passes when the test says so. */
class VirtualClock {
  #now = Date.now();
  readonly now = (): Date => new Date(this.#now);
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** A service whose clock, provider and crashes a test has in hand. */
export class World {
  readonly clock = new VirtualClock();
  readonly provider;
  readonly #service: VaultService;

  /** @param seed of the answers that the provider loses; undefined: none */
  constructor(service: VaultService, seed?: string) {
    this.#service = service;
    this.provider = createCountingProvider(seed, this.clock.now);
  }

  /** Of a process that ends where the steps say so. */
  dependencies(
    steps = new Steps(Infinity),
    composition: Composition = this.#service.composition,
  ): PaymentDependencies {
    const guarded = steps.guard(this.provider, ['authorize', 'capture', 'void', 'refund', 'find']);
    return {
      ...composition,
      clock: this.clock,
      publicUrl: 'https://vault.example',
      logger: silentLogger,
      log: steps.guard(composition.log, ['append', 'readStream']),
      vault: steps.guard(composition.vault, ['store', 'read']),
      audit: steps.guard(composition.audit, ['record']),
      paymentProviders: () => guarded,
    };
  }

  /** One look at what is open, by a worker that ends where the steps say so. */
  async reconcile(steps?: Steps): Promise<void> {
    const { log, views, pools } = this.#service.composition;
    const head = await log.head();
    if (head !== null) await views.waitFor(head);
    const open = createOpenPayments(pools.owner);
    await reconcilePayments(this.dependencies(steps), open).run();
  }

  /** Of a process that has begun anew, with nothing in its memory. */
  async restarted<Answer>(work: (dependencies: PaymentDependencies) => Promise<Answer>): Promise<Answer> {
    const { composition } = this.#service;
    const again = await compose(composition.config, composition.connection, silentLogger, {
      sizes: { owner: 2, api: 2, vault: 2, log: 2 },
    });
    try {
      return await work(this.dependencies(undefined, again));
    } finally {
      await again.close();
    }
  }

  async stateOf(id: string): Promise<TransactionState> {
    const { composition, tenantId } = this.#service;
    return foldStream(transactionFold, await composition.log.readStream(transactionStream(tenantId, id)));
  }

  /** How often the provider did something of a transaction. */
  times(operation: string, id: string): number {
    const short = reconciliationId(id);
    return this.provider.done.filter((one) => one.reconciliationId === short && one.operation === operation)
      .length;
  }

  contextOf(commandId: string, repeated: boolean): CommandContext {
    return {
      tenantId: this.#service.tenantId,
      actor: { type: 'application', id: randomId() },
      rights: { permissions: ['token:use', 'orchestration:transaction:capture'], rules: [] },
      traceId: randomId(),
      commandId,
      repeated,
    };
  }
}

/** What a crash of the process cuts off is not heard of. */
export async function untilCrash(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
  });
}
