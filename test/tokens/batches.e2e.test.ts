import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leaseBatch } from '#commands/token/batchLease.ts';
import { createTokens } from '#commands/token/create.ts';
import type { CommandDependencies } from '#commands/context.ts';
import { systemContext } from '#commands/systemContext.ts';
import { createUnfinishedBatches } from '#infra/postgres/unfinishedBatches.ts';
import type { AppendVerdict, EventLog } from '#ports/eventLog.ts';
import { LogUnavailable } from '#ports/eventLog.ts';
import { undoBatches } from '#src/timers/undoBatches.ts';
import { EventStoreDbServer } from '#test/support/eventstoredb-server.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Started = { service: VaultService; end: () => Promise<void> };
const engines: { name: string; start(): Promise<Started> }[] = [
  {
    name: 'embedded, one by one',
    start: async () => {
      const service = await startVaultService();
      return { service, end: () => service.close() };
    },
  },
  {
    name: 'EventStoreDB',
    start: async () => {
      const server = await EventStoreDbServer.start();
      const environment = { EVENTSTOREDB_URL: server.connectionString };
      const service = await startVaultService({ environment, alone: true });
      return {
        service,
        end: async () => {
          await service.close();
          server.stop();
        },
      };
    },
  },
];

/** A log that writes one stream after the other, and breaks after so many. */
function oneByOne(
  log: EventLog,
  breaksAfter = Infinity,
  between: (written: number) => Promise<void> = () => Promise.resolve(),
): EventLog {
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
            await between(written);
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

/** Makes the batches of the service older than they are. */
const age = async ({ composition, tenantId }: VaultService, by: string): Promise<void> => {
  await composition.pools.owner.query(
    'update work.unfinished_batches set touched_at = touched_at - $2::interval where tenant_id = $1',
    [tenantId, by],
  );
};
const undo = ({ composition }: VaultService, dependencies: CommandDependencies): Promise<void> =>
  undoBatches(dependencies, createUnfinishedBatches(composition.pools.owner)).run();
const unfinished = async ({ composition, tenantId }: VaultService): Promise<unknown[]> =>
  (
    await composition.pools.owner.query('select from work.unfinished_batches where tenant_id = $1', [
      tenantId,
    ])
  ).rows;

for (const { name, start } of engines) {
  const batches = suite<{ service: VaultService; end: () => Promise<void> }>(
    `tokens of one request on a log that writes stream by stream: ${name}`,
  );

  batches.before(async (context) => {
    Object.assign(context, await start());
  });
  batches.after(({ end }) => end());

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
      // The clock of a worker's host says nothing.
      const late = { now: () => new Date(Date.now() + 3 * 60_000) };
      await undo(service, { ...dependencies, clock: late });
      assert.equal(await statuses(service, ['left-1', 'left-2']), [200, 404]);
      await age(service, '3 minutes');
      await undo(service, dependencies);
      assert.equal(await statuses(service, ['retry-1', 'retry-2', 'left-1', 'left-2']), [200, 200, 404, 404]);
      assert.equal(await unfinished(service), []);
    },
  );

  batches(
    'given a request that is slower than the undo, when it ends, then it is 503 and nothing of it is left',
    async ({ service }) => {
      const { composition } = service;
      const log = oneByOne(composition.log, Infinity, async (written) => {
        if (written !== 1) return;
        // As a process that stood still: it could not renew.
        await age(service, '3 minutes');
        await undo(service, composition);
      });
      const context = contextOf(service);
      const failed = (repeated: boolean) =>
        createTokens(
          { ...composition, log },
          { ...context, repeated },
          plain('slow-1', 'slow-2', 'slow-3'),
        ).then(
          () => 'created',
          (error: Error) => error.name,
        );
      assert.is(await failed(false), 'Unavailable');
      assert.equal(await statuses(service, ['slow-1', 'slow-2', 'slow-3']), [404, 404, 404]);
      assert.is(await failed(true), 'Conflicted');
      assert.equal(await statuses(service, ['slow-1', 'slow-2', 'slow-3']), [404, 404, 404]);
      assert.equal(await unfinished(service), []);
    },
  );

  batches(
    'given a batch that is being undone, when it is tried again, then that is refused and the undo goes on after a crash',
    async ({ service }) => {
      const { composition } = service;
      const batch = { tenantId: service.tenantId, commandId: randomUUID(), streams: ['token-claimed'] };
      const mine = composition.unfinishedBatches;
      const undoer = createUnfinishedBatches(composition.pools.owner);
      assert.is(await mine.begin(batch), true);
      assert.equal(await undoer.claimAbandoned(), []);
      await age(service, '3 minutes');
      assert.is(await mine.renew(batch.tenantId, batch.commandId), true);
      assert.equal(await undoer.claimAbandoned(), []);
      await age(service, '3 minutes');
      assert.equal(await undoer.claimAbandoned(), [batch]);
      assert.equal(await undoer.claimAbandoned(), []);
      assert.is(await mine.begin(batch), false);
      assert.is(await mine.renew(batch.tenantId, batch.commandId), false);
      assert.is(await mine.end(batch.tenantId, batch.commandId), false);
      await age(service, '3 minutes');
      assert.equal(await undoer.claimAbandoned(), [batch]);
      await undoer.forget(batch.tenantId, batch.commandId);
      assert.equal(await unfinished(service), []);
    },
  );

  batches(
    'given a request that takes long, when it writes, then its batch is renewed until it ends',
    async ({ service }) => {
      const { composition, tenantId } = service;
      const lease = leaseBatch(composition, { tenantId, commandId: randomUUID() }, 20);
      await lease.cover(['token-renewed']);
      await age(service, '3 minutes');
      await until(async () => {
        const { rows } = await composition.pools.owner.query<{ fresh: boolean }>(
          `select touched_at > now() - interval '1 minute' as fresh from work.unfinished_batches
         where tenant_id = $1`,
          [tenantId],
        );
        return rows[0]?.fresh === true;
      });
      assert.is(await lease.end(), true);
      assert.is(await lease.end(), false);
    },
  );

  batches.run();
}
