import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemContext } from '#commands/systemContext.ts';
import { createTenant } from '#commands/tenant/create.ts';
import { deleteTenant } from '#commands/tenant/delete.ts';
import { startWorker } from '#src/main/worker.ts';
import { randomId } from '#src/identifiers.ts';
import type { ReactorAnswer } from '#src/reactors/invocation.ts';
import {
  eventsOf,
  fakeReactors,
  invoke,
  json,
  payloadsOf,
  quick,
  startReceiver,
  typesOf,
} from '#test/reactors/support/invocations.ts';
import type { FakeReactors } from '#test/reactors/support/invocations.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; reactors: FakeReactors; said: string[] };

const interruptions = suite<Context>('interrupted invocations');

interruptions.before.each(async (context) => {
  context.reactors = fakeReactors();
  context.said = [];
  const say = (fields: object, message: string): void => {
    const error = 'err' in fields && fields.err instanceof Error ? (fields.err.stack ?? '') : '';
    context.said.push(`${JSON.stringify(fields)} ${error} ${message}`);
  };
  context.service = await startVaultService({
    environment: { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' },
    reactors: context.reactors,
    logger: { ...silentLogger, info: say, warn: say, error: say },
    // What is under way when it stops stays so, as after a crash.
    invocations: { ...quick, grace: 0 },
  });
});

const done = (service: VaultService, id: string): Promise<boolean> =>
  until(async () => /completed|failed/.test((await typesOf(service, id)).join()));

interruptions(
  'given a worker that dies during a run, when another one comes, then the run has failed and is never made again',
  async ({ service, reactors }) => {
    const receiver = await startReceiver();
    const { promise, resolve } = Promise.withResolvers<ReactorAnswer>();
    reactors.answer = () => promise;
    const id = await invoke(service, receiver.url);
    await until(() => reactors.runs.length === 1);
    await service.stopWorker();
    const next = startWorker(service.composition, reactors, quick);
    await until(() => receiver.received.length === 1);
    const failed = (await eventsOf(service, id)).find(({ type }) => type === 'reactor.failed');
    assert.is(failed?.data['reason'], 'interrupted');
    const problem = JSON.parse(receiver.received[0]?.body ?? '') as Record<string, unknown>;
    assert.equal([problem['status'], problem['detail']], [500, 'Reactor Runtime Error']);
    assert.match(JSON.stringify(problem['errors']), /interrupted.*may have run/);
    // What the first worker finds out too late changes nothing.
    resolve({ status: 200, headers: json, body: {} });
    await until(async () => (await typesOf(service, id)).includes('reactor.callback.delivered'));
    const second = await invoke(service);
    await done(service, second);
    assert.is(reactors.runs.filter(({ prepared }) => prepared.args).length, 2);
    assert.not((await typesOf(service, id)).includes('reactor.completed'));
    assert.equal((await payloadsOf(service, id)).length, 1);
    await next.stop();
    await receiver.close();
    await service.close();
  },
);

interruptions(
  'given a run under way, when the worker stops in time, then the run ends and is written down',
  async ({ service, reactors }) => {
    await service.stopWorker();
    const worker = startWorker(service.composition, reactors, quick);
    const { promise, resolve } = Promise.withResolvers<ReactorAnswer>();
    reactors.answer = () => promise;
    const id = await invoke(service);
    await until(() => reactors.runs.length === 1);
    const stopping = worker.stop();
    resolve({ status: 200, headers: json, body: {} });
    await stopping;
    assert.is((await typesOf(service, id)).at(-1), 'reactor.completed');
    await service.close();
  },
);

interruptions(
  'given no worker, when an invocation is asked for and one comes later, then it is run',
  async ({ service, reactors }) => {
    await service.stopWorker();
    const id = await invoke(service);
    assert.equal(reactors.runs, []);
    const worker = startWorker(service.composition, reactors, quick);
    await done(service, id);
    assert.is(reactors.runs.length, 1);
    await worker.stop();
    await service.close();
  },
);

interruptions(
  'given two workers, when many invocations are asked for, then each is run once',
  async ({ service, reactors }) => {
    const other = startWorker(service.composition, reactors, quick);
    const ids = await Promise.all(Array.from({ length: 40 }, () => invoke(service)));
    await Promise.all(ids.map((id) => done(service, id)));
    assert.is(reactors.runs.length, 40);
    for (const id of ids) {
      assert.equal(await typesOf(service, id), ['reactor.invoked', 'reactor.started', 'reactor.completed']);
    }
    await other.stop();
    await service.close();
  },
);

interruptions(
  'given a tenant that keeps its share of the workers busy, when another invokes, then it does not wait',
  async ({ service, reactors }) => {
    const { promise, resolve } = Promise.withResolvers<ReactorAnswer>();
    const answer = { status: 200, headers: json, body: {} };
    reactors.answer = ({ args }) => (args === '"slow"' ? promise : Promise.resolve(answer));
    const slow = await Promise.all(Array.from({ length: 20 }, () => invoke(service, undefined, 'slow')));
    await until(() => reactors.runs.length === 8);
    const tenantId = randomId();
    await createTenant(service.composition, systemContext(tenantId, { type: 'system', id: 'test' }), 'other');
    const other = { ...service, tenantId };
    await done(other, await invoke(other, undefined, 'quick'));
    assert.is(reactors.runs.length, 9);
    resolve(answer);
    await Promise.all(slow.map((id) => done(service, id)));
    await service.close();
  },
);

interruptions(
  'given a tenant that is erased during a run, when the run ends, then nothing is left to do and nothing is kept',
  async ({ service, reactors }) => {
    const { promise, resolve } = Promise.withResolvers<ReactorAnswer>();
    reactors.answer = () => promise;
    const { composition, tenantId } = service;
    const id = await invoke(service);
    await until(() => reactors.runs.length === 1);
    await deleteTenant(composition, systemContext(tenantId, { type: 'system', id: 'test' }));
    resolve({ status: 200, headers: json, body: { secret: true } });
    const { owner } = composition.pools;
    await until(async () => (await owner.query('select from graphile_worker.jobs')).rowCount === 0);
    assert.equal(await typesOf(service, id), ['reactor.invoked', 'reactor.started']);
    await service.close();
  },
);

interruptions(
  'given the events again, when they are queued again, then nothing is run again',
  async ({ service, reactors }) => {
    const id = await invoke(service);
    await done(service, id);
    await service.stopWorker();
    const { owner } = service.composition.pools;
    await owner.query("update work.subscriptions set position = null where name = 'invocation_jobs'");
    const worker = startWorker(service.composition, reactors, quick);
    const second = await invoke(service);
    await done(service, second);
    await until(async () => (await owner.query('select from graphile_worker.jobs')).rowCount === 0);
    assert.is(reactors.runs.length, 2);
    await worker.stop();
    await service.close();
  },
);

interruptions(
  'given a canary in arguments, answer and URL, when all is done, then only the vault has ever seen it',
  async ({ service, reactors, said }) => {
    const canary = `canary${randomId().replaceAll('-', '')}`;
    const receiver = await startReceiver();
    receiver.status = () => 500;
    const { owner } = service.composition.pools;
    let queued = '';
    reactors.answer = async ({ args }) => {
      const { rows } = await owner.query<{ text: string }>(
        'select row_to_json(job)::text as text from graphile_worker._private_jobs as job',
      );
      queued = rows.map(({ text }) => text).join();
      throw new Error(`quotes ${JSON.stringify(args)}`);
    };
    const id = await invoke(service, `${receiver.url}?secret=${canary}`, { card: canary });
    await until(() => receiver.received.length === 1);
    await until(async () => (await typesOf(service, id)).includes('reactor.callback.deferred'));
    assert.match(queued, new RegExp(id));
    const { rows } = await owner.query<{ text: string }>(
      `select row_to_json(job)::text as text from graphile_worker._private_jobs as job`,
    );
    const events = (await eventsOf(service, id)).map(({ data, metadata }) =>
      JSON.stringify([data, metadata]),
    );
    for (const text of [queued, ...rows.map((row) => row.text), ...events, ...said]) {
      assert.not(text.includes(canary), text);
    }
    // Its own failure is told, without the words of the error.
    assert.not(receiver.received[0]?.body.includes(canary));
    await receiver.close();
    await service.close();
  },
);

interruptions.run();
