import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTokens } from '#commands/token/create.ts';
import { systemContext } from '#commands/systemContext.ts';
import { createUnfinishedBatches } from '#infra/postgres/unfinishedBatches.ts';
import type { AppendVerdict, EventLog } from '#ports/eventLog.ts';
import { LogUnavailable } from '#ports/eventLog.ts';
import { undoBatches } from '#src/timers/undoBatches.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const batches = suite<{ service: VaultService }>(
  'tokens of one request on a log that writes stream by stream',
);

batches.before(async (context) => {
  context.service = await startVaultService();
});
batches.after(({ service }) => service.close());

/** A log that writes one stream after the other, and breaks after so many. */
function oneByOne(log: EventLog, breaksAfter = Infinity): EventLog {
  let written = 0;
  return new Proxy(log, {
    get: (target, name) => {
      if (name === 'atomicAcrossStreams') return false;
      if (name === 'appendAll') {
        const appendAll: EventLog['appendAll'] = async (appends) => {
          const verdicts: AppendVerdict[] = [];
          for (const append of appends) {
            if (written++ >= breaksAfter) throw new LogUnavailable('broken by the test');
            verdicts.push(...(await target.appendAll([append])));
            if (verdicts.at(-1)?.outcome === 'conflict') break;
          }
          return appends.map((_, index) => verdicts[index] ?? { outcome: 'not_attempted' });
        };
        return appendAll;
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

const plain = (...values: string[]) =>
  values.map((value, index) => ({ input: { type: 'token', data: value, id: value }, path: `[${index}].` }));
const contextOf = (service: VaultService) => ({
  ...systemContext(service.tenantId, { type: 'system', id: 'test' } as const),
  rights: { permissions: ['token:create'], rules: [] },
});
const statuses = (service: VaultService, ids: string[]): Promise<number[]> =>
  Promise.all(ids.map(async (id) => (await service.call('GET', `/tokens/${id}`)).status));

batches(
  'given a log that writes stream by stream, when an id is taken, then those before it are undone',
  async ({ service }) => {
    const { composition } = service;
    const dependencies = { ...composition, log: oneByOne(composition.log) };
    await createTokens(dependencies, contextOf(service), plain('batch-1', 'batch-2'));
    assert.equal(await statuses(service, ['batch-1', 'batch-2']), [200, 200]);
    const refused = await createTokens(
      dependencies,
      contextOf(service),
      plain('batch-3', 'batch-2', 'batch-4'),
    ).then(
      () => 'created',
      (error: Error) => error.name,
    );
    assert.is(refused, 'Conflicted');
    assert.equal(await statuses(service, ['batch-3', 'batch-2', 'batch-4']), [404, 200, 404]);
  },
);

batches(
  'given a log that breaks in the middle, then a retry completes it, and without one it is undone',
  async ({ service }) => {
    const { composition } = service;
    const breaking = () => ({ ...composition, log: oneByOne(composition.log, 1) });
    const retried = contextOf(service);
    const failed = await createTokens(breaking(), retried, plain('retry-1', 'retry-2')).catch(
      (error: Error) => error.name,
    );
    assert.is(failed, 'LogUnavailable');
    const dependencies = { ...composition, log: oneByOne(composition.log) };
    await createTokens(dependencies, { ...retried, repeated: true }, plain('retry-1', 'retry-2'));
    assert.equal(await statuses(service, ['retry-1', 'retry-2']), [200, 200]);

    await createTokens(breaking(), contextOf(service), plain('left-1', 'left-2')).catch(() => undefined);
    assert.equal(await statuses(service, ['left-1', 'left-2']), [200, 404]);
    const late = { now: () => new Date(Date.now() + 3 * 60_000) };
    const unfinished = createUnfinishedBatches(composition.pools.owner);
    await undoBatches({ ...dependencies, clock: late }, unfinished).run();
    assert.equal(await statuses(service, ['retry-1', 'retry-2', 'left-1', 'left-2']), [200, 200, 404, 404]);
    assert.equal(await unfinished.abandoned(new Date(Date.now() + 60_000)), []);
  },
);

batches.run();
