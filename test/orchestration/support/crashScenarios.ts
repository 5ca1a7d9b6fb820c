import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isSettled, openCalls } from '#domain/transaction/state.ts';
import type { Transaction } from '#domain/transaction/state.ts';
import type { TransactionInput } from '#domain/transaction/input.ts';
import { Refused } from '#src/errors.ts';
import { randomId, resourceId } from '#src/identifiers.ts';
import { createTransaction } from '#src/orchestration/createTransaction.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';
import { captureTransaction, refundTransaction, voidTransaction } from '#src/orchestration/steps.ts';
import { seededRandom } from '#src/seededRandom.ts';
import { Steps } from '#test/orchestration/support/crashes.ts';
import { World, givenInput, untilCrash } from '#test/orchestration/support/world.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; input: TransactionInput };

/** Virtual milliseconds. */
const tick = 5_000;
const deadline = 60_000;

/** What a client does after the authorization, and where it gets by that. */
type Plan = {
  name: string;
  intent: 'authorize' | 'capture';
  step: (
    dependencies: PaymentDependencies,
    context: ReturnType<World['contextOf']>,
    id: string,
  ) => Promise<unknown>;
  operation: 'capture' | 'void' | 'refund';
  end: Transaction['status'];
};

const plans: readonly Plan[] = [
  {
    name: 'a capture',
    intent: 'authorize',
    step: (dependencies, context, id) => captureTransaction(dependencies, context, id, {}),
    operation: 'capture',
    end: 'capture_succeeded',
  },
  {
    name: 'a void',
    intent: 'authorize',
    step: voidTransaction,
    operation: 'void',
    end: 'authorization_voided',
  },
  {
    name: 'a charge and a refund',
    intent: 'capture',
    step: (dependencies, context, id) => refundTransaction(dependencies, context, id, { amount: 50 }),
    operation: 'refund',
    end: 'capture_succeeded',
  },
];

type Client = { create: string; step: string };

/** Authorizes, then takes the step; again under the same ids when it was cut off. */
async function act(
  world: World,
  dependencies: PaymentDependencies,
  { input }: Context,
  plan: Plan,
  client: Client,
  repeated: boolean,
): Promise<void> {
  const asked = { ...input, intent: plan.intent };
  const { result } = await createTransaction(dependencies, world.contextOf(client.create, repeated), asked);
  const isReady = ['authorization_succeeded', 'capture_succeeded', plan.end].includes(result.status);
  if (isReady) await plan.step(dependencies, world.contextOf(client.step, repeated), result.id);
}

/** A plan that is cut off at a boundary, and what becomes of it. Answers how many boundaries it came to. */
async function scenario(
  context: Context,
  plan: Plan,
  returns: boolean,
  { seed, crashAt }: { seed?: number; crashAt: number },
): Promise<number> {
  const { service } = context;
  const random = seededRandom('client', String(seed), String(crashAt));
  const world = new World(service, seed === undefined ? undefined : `${plan.name} ${seed} ${crashAt}`);
  const client = { create: randomId(), step: randomId() };
  const id = resourceId(client.create, 'transaction');
  const steps = new Steps(crashAt);
  await untilCrash(act(world, world.dependencies(steps), context, plan, client, false));
  await world.restarted(async (dependencies) => {
    const returnsAt = returns ? random(6) * tick : Infinity;
    for (let elapsed = 0; elapsed < deadline; elapsed += tick, world.clock.advance(tick)) {
      if (elapsed >= returnsAt) {
        // Until it has been told how it ended.
        await act(world, dependencies, context, plan, client, true).catch((error: unknown) => {
          if (!(error instanceof Refused)) throw error;
        });
      }
      await world.reconcile();
    }
  });
  await check(world, id, plan, returns, `${plan.name}, seed ${seed}, boundary ${crashAt}`);
  return steps.boundaries;
}

async function check(world: World, id: string, plan: Plan, returns: boolean, where: string): Promise<void> {
  const state = await world.stateOf(id);
  if (state.status === 'absent') {
    assert.not.ok(returns, where);
    assert.is(world.times('authorize', id), 0, where);
    return;
  }
  const asked = state.calls.filter(({ operation }) => operation === plan.operation).length;
  assert.equal(openCalls(state), [], where);
  assert.ok(state.calls.every(isSettled), where);
  assert.is(world.times('authorize', id), 1, where);
  assert.is(world.times(plan.operation, id), asked, where);
  if (returns) assert.is(asked, 1, where);
  const authorized = plan.intent === 'capture' ? 'capture_succeeded' : 'authorization_succeeded';
  assert.is(state.status, asked === 1 ? plan.end : authorized, where);
  if (plan.operation === 'refund') assert.is(state.refundedAmount, asked * 50, where);
}

/** Cuts every plan off at each of its boundaries, once for each seed. */
export function defineCrashes(seeds: readonly number[]): void {
  const crashes = suite<Context>('crashes in the middle of payments');
  crashes.before(async (context) => {
    context.service = await startVaultService();
    context.input = await givenInput(context.service);
  });
  crashes.after(({ service }) => service.close());
  for (const plan of plans) {
    for (const returns of [true, false]) {
      crashes(
        `given ${plan.name} and a crash at every boundary, when ${returns ? 'the client comes back' : 'nobody comes back'}, then money moved once for each step, and is accounted for within a minute`,
        async (context) => {
          const boundaries = await scenario(context, plan, returns, { crashAt: Infinity });
          assert.ok(boundaries >= 24, `only ${boundaries} boundaries`);
          for (const seed of seeds) {
            for (let crashAt = 1; crashAt <= boundaries; crashAt += 1) {
              await scenario(context, plan, returns, { seed, crashAt });
            }
          }
        },
      );
    }
  }

  crashes.run();
}
