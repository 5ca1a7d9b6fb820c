import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { upcasting } from '#infra/eventlog/upcasting.ts';
import { LogRefused } from '#ports/eventLog.ts';
import type { EventLog } from '#ports/eventLog.ts';
import { ProjectionsHalted } from '#projections/engine/engine.ts';
import { rebuild } from '#projections/engine/rebuild.ts';
import { createRunner } from '#projections/engine/runner.ts';
import { status } from '#projections/engine/status.ts';
import { added, things } from '#test/projections/support/things.ts';
import type { Workshop } from '#test/projections/support/workshop.ts';
import { openWorkshop } from '#test/projections/support/workshop.ts';
import { until } from '#test/support/until.ts';

const test = suite<{ workshop: Workshop }>('projections that must not go on');
const silent = (): void => undefined;

test.before.each(async (context) => {
  context.workshop = await openWorkshop();
  await context.workshop.append('1', added('1'));
  await rebuild(context.workshop.engine(), 'things', silent);
});
test.after.each(async ({ workshop }) => {
  await workshop.end();
});

test('given a checkpoint of another log, then the runner stops and says so; a rebuild adopts the log', async ({
  workshop,
}) => {
  await workshop.query(`update work.projection_checkpoints set log_id = 'another'`);
  const runner = workshop.start();
  await until(() => runner.state().phase === 'stopped');
  assert.match(String(runner.state().error), 'was made from the log another');
  await until(async () => (await status(workshop.engine())).views[0]?.status === 'stopped');
  assert.match(String((await status(workshop.engine())).views[0]?.lastError), 'the log another');
  await rebuild(workshop.engine(), 'things', silent).then(
    () => assert.unreachable('it does not do so by itself'),
    (error: unknown) => assert.instance(error, ProjectionsHalted),
  );
  await rebuild(workshop.engine(), 'things', silent, { adoptLog: true });
  const restarted = workshop.start();
  await workshop.applied(await workshop.append('2', added('2')));
  assert.is(restarted.state().phase, 'running');
});

test('given a checkpoint beyond the head, then the runner stops; when it is right again, then it runs', async ({
  workshop,
}) => {
  await workshop.query(`update work.projection_checkpoints set position = '1000'`);
  const runner = workshop.start();
  await until(() => runner.state().phase === 'stopped');
  assert.match(String(runner.state().error), 'is at 1000, and the log ends at 1');
  await runner.stop();
  assert.is(runner.state().phase, 'stopped');
  await workshop.query(`update work.projection_checkpoints set position = '1'`);
  workshop.start();
  await workshop.applied(await workshop.append('2', added('2')));
  const [view] = (await status(workshop.engine())).views;
  assert.is(view?.status, 'live');
  assert.is(view?.lastError, null);
});

test('given a running runner, when a newer version takes over, then the older one stops', async ({
  workshop,
}) => {
  const older = workshop.start();
  await workshop.applied(await workshop.append('2', added('2')));
  const newer = workshop.start(things({ version: 2 }));
  await until(() => newer.state().building.length === 0);
  await workshop.append('3', added('3'));
  await until(() => older.state().phase === 'stopped');
  await until(() => newer.state().phase === 'running');
  await workshop.applied(await workshop.append('4', added('4')));
  assert.equal(Object.keys(await workshop.names()), ['1', '2', '3', '4']);
  assert.is((await status(workshop.engine(things({ version: 2 })))).views[0]?.status, 'live');
});

test('given newer read models, when an older version starts, then it stops and leaves them alone', async ({
  workshop,
}) => {
  await rebuild(workshop.engine(things({ version: 3 })), 'things', silent);
  const older = workshop.start(things({ version: 2 }));
  await until(() => older.state().phase === 'stopped');
  assert.match(String(older.state().error), 'is at version 3');
  await rebuild(workshop.engine(things({ version: 2 })), 'things', silent).then(
    () => assert.unreachable('it would take away newer tables'),
    (error: unknown) => assert.instance(error, ProjectionsHalted),
  );
});

test('given a node of the log that lags behind for a while, then the runner waits, says why, and goes on', async ({
  workshop,
}) => {
  const log = upcasting(workshop.log);
  let behind = true;
  const lagging: EventLog = {
    ...log,
    mayLag: true,
    head: () => (behind ? Promise.resolve(null) : log.head()),
  };
  const runner = createRunner({ ...workshop.engine(), log: lagging });
  runner.start();
  const reason = async () => (await status(workshop.engine())).views[0]?.lastError ?? undefined;
  assert.match(await until(reason), 'events are missing from the log');
  assert.is.not(runner.state().phase, 'stopped');
  behind = false;
  await workshop.applied(await workshop.append('2', added('2')));
  await until(async () => (await reason()) === undefined);
  await runner.stop();
});

test('given a log that cannot be followed, then why stands beside the views until the first page', async ({
  workshop,
}) => {
  const log = upcasting(workshop.log);
  let broken = true;
  const failing: EventLog = {
    ...log,
    subscribe: (after, types, signal) => {
      if (broken) throw new LogRefused('the event log refuses the user');
      return log.subscribe(after, types, signal);
    },
  };
  const runner = createRunner({ ...workshop.engine(), log: failing });
  runner.start();
  const reason = async () => (await status(workshop.engine())).views[0]?.lastError ?? undefined;
  assert.match(await until(reason), 'the event log refuses the user');
  assert.is(runner.state().atHead, false);
  broken = false;
  await until(async () => (await reason()) === undefined);
  assert.is(runner.state().phase, 'running');
  await runner.stop();
});

test.run();
