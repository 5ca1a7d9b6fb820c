import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fuzz } from '#test/fuzz/support/fuzz.ts';
import { allowedGrowth, growthOf } from '#test/fuzz/support/memory.ts';
import { startFuzzedService } from '#test/fuzz/support/service.ts';
import type { FuzzedService } from '#test/fuzz/support/service.ts';

/** Sends so many requests; more by `npm run fuzz -- --requests 2000000`. */
export function testRequests(requests: number): void {
  const fuzzing = suite<FuzzedService>('requests made of the OpenAPI document');
  const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000);

  fuzzing.before(async (context) => {
    Object.assign(context, await startFuzzedService());
  });
  fuzzing.after(({ close }) => close());

  fuzzing(
    'given requests that are right, nearly right and wild, then each is answered as documented, by processes that stay alive and do not grow',
    async ({ service, environment, sink }) => {
      const { faults, memory, answers } = await fuzz({ service, environment, sink, requests, seed });
      assert.is(
        faults.count,
        0,
        `seed ${seed}: npm run fuzz -- --requests ${requests} --seed ${seed} --stay\n${faults}`,
      );
      const succeeded = [...answers].filter(([, statuses]) =>
        [...statuses.keys()].some((status) => status < 300),
      );
      // A few requests do not get everywhere.
      assert.ok(
        requests < 10_000 || succeeded.length > answers.size * 0.8,
        `only ${succeeded.length} operations ever succeeded`,
      );
      const growth = growthOf(memory, 'heap');
      assert.ok(growth <= allowedGrowth(requests), `memory grew by ${growth} MB`);
      assert.not.match(service.said(), 'an API process ended');
      assert.is(service.child.exitCode, null);
    },
  );

  fuzzing.run();
}
