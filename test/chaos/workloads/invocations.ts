import { randomUUID } from 'node:crypto';
import { describe, forEach, insistOnce } from '#test/chaos/support/world.ts';
import type { World } from '#test/chaos/support/world.ts';
import { until } from '#test/support/until.ts';
import type { Outside } from '#test/chaos/support/outside.ts';
import type { Workload } from '#test/chaos/workloads/workload.ts';

/** A run that was cut off is told to have failed within this, in milliseconds. */
const ended = 90_000;

/** Does something to the outside world that can be counted. */
export const codeFor = (outsideUrl: string): string => `
module.exports = async (req) => {
  await fetch('${outsideUrl}/effect?operation=' + req.args.operation);
  return { raw: { operation: req.args.operation } };
};`;

/** Asynchronous invocations of a reactor: each is run once at most, and answered. */
export const invocationsWorkload = ({ effects }: Pick<Outside, 'effects'>): Workload => ({
  name: 'invocations',
  weight: 1,
  act: async (world) => {
    const operation = randomUUID();
    const { reactorId: reactor, ledger } = world;
    await ledger.asked({ kind: 'invoke', operation, reactor });
    const path = `/reactors/${reactor}/react-async`;
    const answer = await insistOnce(world, path, { args: { operation } }, operation);
    if (answer.status !== 202) {
      world.verdict.wrong.push(describe(['POST', path], answer));
      return;
    }
    const { asyncReactorRequestId: request } = answer.body as { asyncReactorRequestId: string };
    await ledger.acknowledge({ kind: 'invoke', operation, reactor, request });
  },
  verify: async (world, entries) => {
    await forEach(entries, async ({ at, deed }) => {
      if (deed.kind !== 'invoke') return;
      const times = effects.get(deed.operation) ?? 0;
      if (times > 1 && at === 'asked') world.verdict.doubled.push(`${times} runs of ${deed.operation}`);
      if (deed.request === undefined) return;
      await verifyAnswer(world, `/reactors/${deed.reactor}/results/${deed.request}`, () =>
        effects.has(deed.operation),
      );
    });
  },
});

/** A problem that says that the run was cut off is an answer, too. */
async function verifyAnswer(world: World, path: string, hadEffect: () => boolean): Promise<void> {
  const answer = await until(async () => {
    const outcome = await world.client.ask('GET', path);
    // A run that was cut off is answered 500, by what its caller would have been told.
    return outcome !== 'unknown' && outcome.status !== 404 && outcome.status !== 503 && outcome;
  }, ended).catch(() => undefined);
  if (answer === undefined) world.verdict.lost.push(`the answer of ${path}`);
  else if (answer.status === 200 && !hadEffect()) world.verdict.lost.push(`the effect of ${path}`);
}
