import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startArena } from '#test/sandbox/hostile/support/arena.ts';
import type { Arena, Result } from '#test/sandbox/hostile/support/arena.ts';
import { endingOf } from '#test/sandbox/hostile/support/endings.ts';
import type { HostileProgram } from '#test/sandbox/hostile/support/program.ts';

const grace = 500;
/** In which a tenant's next call is answered, in milliseconds: almost always, and on a busy machine. */
const usualRecovery = 2_000;
const slowestRecovery = 8_000;

type Context = { arena: Arena; results: Map<string, Promise<Result>> };

/** Tests of programs that run beside each other: each says how it must end, and none may harm anybody. */
export function testPrograms(
  title: string,
  all: readonly HostileProgram[],
  { seconds = 1, lanes = 3 }: { seconds?: number; lanes?: number } = {},
): void {
  const limit = seconds * 1_000;
  const test = suite<Context>(`hostile: ${title}`);

  test.before(async (context) => {
    context.arena = await startArena({ HOLDFAST_REACTOR_TIMEOUT: `${seconds}s` });
    context.results = context.arena.run(all, lanes);
  });
  test.after(({ arena }) => arena.close());

  for (const { name, ends, raw } of all) {
    test(`given ${name}, when it runs, then it ends in time as it must, and harms nobody`, async ({
      arena,
      results,
    }) => {
      const { answered, next, meanwhile, load } = (await results.get(name)) as Result;
      const ending = endingOf(answered);
      assert.ok(ends.includes(ending), `${ending}: ${answered.text.slice(0, 1_000)}`);
      if (ending === 'returned' && raw !== undefined) {
        // As text, because names such as `constructor` in it mislead what compares objects.
        assert.is(JSON.stringify((JSON.parse(answered.text) as { raw: unknown }).raw), JSON.stringify(raw));
      }
      const took = answered.to - answered.from;
      assert.ok(took <= limit + grace + load, `answered after ${took} ms, with a load of ${load} ms`);
      assert.equal(arena.canaries.foundIn(answered.text), []);
      assert.equal([next.status, next.text], [200, '{"raw":{"still":"here"}}']);
      const later = next.to - next.from;
      assert.ok(later <= slowestRecovery + load, `the next call took ${later} ms, with a load of ${load} ms`);
      assert.ok(meanwhile.length > 0, 'nobody else was served');
      assert.equal(
        meanwhile.filter(({ status }) => status !== 200),
        [],
      );
    });
  }

  test('given all of them, when they have run, then the next calls of their tenants were hardly held up', async ({
    results,
  }) => {
    const settled = await Promise.allSettled(results.values());
    const late = settled.filter(
      (each) => each.status === 'fulfilled' && each.value.next.to - each.value.next.from > usualRecovery,
    );
    assert.ok(late.length <= all.length / 5, `${late.length} of ${all.length}`);
  });

  test('given all of them, when they have run, then another tenant was served, and no secret was logged', ({
    arena,
  }) => {
    const took = arena
      .bystander()
      .map(({ from, to }) => to - from)
      .sort((one, other) => one - other);
    const median = took[Math.floor(took.length / 2)] ?? Infinity;
    assert.ok(median < grace, `half of the calls took more than ${median} ms`);
    assert.equal(arena.canaries.foundIn(arena.logged.join('\n')), []);
  });

  test.run();
}
