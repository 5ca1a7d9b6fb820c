import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sweepReactorLogs } from '#infra/vault/sweeps/sweepReactorLogs.ts';
import { randomId } from '#src/identifiers.ts';
import type { EndedInvocation } from '#src/reactors/logs/ended.ts';
import { createLogKeeper } from '#src/reactors/logs/keeper.ts';
import { list, react, rowsOf } from '#test/reactors/support/logs.ts';
import { create, manage } from '#test/reactors/support/reactors.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const logs = suite<{ service: VaultService }>('logs of reactors: their end');

logs.before.each(async (context) => {
  context.service = await startVaultService();
});
logs.after.each(({ service }) => service.close());

const printing = { code: 'module.exports = () => { console.log("hi"); }' };

/** Creates a reactor and runs it once. */
async function createAndRun(service: VaultService): Promise<string> {
  const { id } = await create(service, printing);
  await react(service, id);
  await service.composition.logKeeper.flush();
  assert.equal(await rowsOf(service, id), [1, 1]);
  return id;
}

async function isInVault({ composition, tenantId }: VaultService, id: string, log?: { id: string }) {
  const reference = { id: log?.id ?? '', stream: `reactor_logs.${id}` };
  return (await composition.vault.read(tenantId, [reference]))[0] !== undefined;
}

const ended = (tenantId: string, reactorId: string, text: string): EndedInvocation => ({
  tenantId,
  reactorId,
  payloadId: randomId(),
  configuration: {},
  injected: [],
  traceId: randomId(),
  startedAt: new Date(),
  milliseconds: 1,
  outcome: 'returned',
  status: 200,
  lines: [{ level: 'info', text }],
});

logs(
  'given a reactor that is deleted, when its events are heard, then nothing of its logs is left',
  async ({ service }) => {
    const { composition, tenantId } = service;
    const id = await createAndRun(service);
    const [log] = await composition.reactorLogs.list(tenantId, id);
    assert.is((await manage(service, 'DELETE', `/${id}`)).status, 204);
    assert.is((await list(service, id)).status, 404);
    await until(async () => (await rowsOf(service, id))[0] === 0);
    await until(async () => !(await isInVault(service, id, log)));
    // One that comes late is not kept either.
    composition.logKeeper.keep(ended(tenantId, id, 'late'));
    await composition.logKeeper.flush();
    assert.equal(await rowsOf(service, id), [0, 0]);
  },
);

logs(
  'given a tenant that is deleted, when its events are heard, then nothing of its logs is left',
  async ({ service }) => {
    const { composition, tenantId, call, keys } = service;
    const id = await createAndRun(service);
    assert.is((await call('DELETE', '/tenants/self', undefined, { key: keys.management })).status, 204);
    assert.equal(await composition.reactorLogs.list(tenantId, id), []);
    await until(async () => (await rowsOf(service, id))[0] === 0);
    composition.logKeeper.keep(ended(tenantId, id, 'late'));
    await composition.logKeeper.flush();
    assert.equal(await rowsOf(service, id), [0, 0]);
  },
);

logs('given logs of a week ago, when they are swept, then they are gone', async ({ service }) => {
  const { pools, reactorLogs } = service.composition;
  const id = await createAndRun(service);
  const [log] = await reactorLogs.list(service.tenantId, id);
  const { rows } = await pools.owner.query<{ days: number }>(
    `select extract(epoch from payload.expires_at - log.started_at)::int / 86400 as days
     from work.reactor_logs as log join vault.payloads as payload on payload.id = log.invocation_id
     where log.tenant_id = $1`,
    [service.tenantId],
  );
  assert.equal(rows, [{ days: 7 }]);
  const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000);
  await sweepReactorLogs(pools.owner, inDays(6.9));
  assert.equal(await rowsOf(service, id), [1, 1]);
  await sweepReactorLogs(pools.owner, inDays(7.1));
  assert.equal(await rowsOf(service, id), [0, 0]);
  assert.ok(await isInVault(service, id, log), 'it forgets itself');
});

logs(
  'given more than can be written, when logs are kept, then losses are counted and told',
  async ({ service }) => {
    const told: object[] = [];
    const logger = { ...silentLogger, warn: (fields: object) => void told.push(fields) };
    const keeper = createLogKeeper({ ...service.composition, logger });
    const { id } = await create(service, printing);
    const long = 'x'.repeat(4 * 1024 * 1024);
    for (let number = 0; number < 10; number++) keeper.keep(ended(service.tenantId, id, `${number} ${long}`));
    await keeper.close();
    assert.equal(told, [{ invocations: 3 }]);
    const { body } = await list(service, id);
    assert.equal(body.data.map(({ lines }) => lines[0]?.text.slice(0, 2)).sort(), [
      '0 ',
      '1 ',
      '2 ',
      '3 ',
      '4 ',
      '5 ',
      '6 ',
    ]);
    assert.is(body.data[0]?.lines[0]?.text.length, 64 * 1024);
  },
);

logs(
  'given a store that fails, when logs are kept, then losses are told, and the next are kept',
  async ({ service }) => {
    const told: object[] = [];
    const { reactorLogs } = service.composition;
    let broken = true;
    const keeper = createLogKeeper({
      ...service.composition,
      logger: { ...silentLogger, warn: (fields: object) => void told.push(fields) },
      reactorLogs: {
        ...reactorLogs,
        keep: (...given) => (broken ? Promise.reject(new Error('no store')) : reactorLogs.keep(...given)),
      },
    });
    const { id } = await create(service, printing);
    keeper.keep(ended(service.tenantId, id, 'lost'));
    await keeper.flush();
    broken = false;
    keeper.keep(ended(service.tenantId, id, 'kept'));
    await keeper.close();
    assert.equal(told, [{ invocations: 1 }]);
    assert.is((await list(service, id)).body.data[0]?.lines[0]?.text, 'kept');
  },
);

logs.run();
