import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Invalidation, PostgresViews } from '#infra/postgres/views.ts';
import { createViews } from '#infra/postgres/views.ts';
import { rebuild } from '#projections/engine/rebuild.ts';
import { added, things } from '#test/projections/support/things.ts';
import type { Workshop } from '#test/projections/support/workshop.ts';
import { openWorkshop } from '#test/projections/support/workshop.ts';
import { until } from '#test/support/until.ts';

const test = suite<{ workshop: Workshop; views: PostgresViews }>('waiting for views');

test.before.each(async (context) => {
  context.workshop = await openWorkshop();
  const { database, log } = context.workshop;
  context.views = createViews({ connection: database.connection, pool: database.pools.api, log });
  await until(() => context.views.lastHeardAt() > 0);
});
test.after.each(async ({ workshop, views }) => {
  await views.close();
  await workshop.end();
});

function hearAll(views: PostgresViews): Invalidation[] {
  const heard: Invalidation[] = [];
  views.onInvalidation((invalidation) => heard.push(invalidation));
  return heard;
}

test('given a running runner, when a position is waited for, then its rows are there', async ({
  workshop,
  views,
}) => {
  workshop.start();
  for (const id of ['1', '2', '3']) {
    const position = await workshop.append(id, added(id));
    assert.is(await views.waitFor(position), 'applied');
    assert.ok(id in (await workshop.names()));
  }
});

test('given many who wait out of order, when their positions are applied, then all are told', async ({
  workshop,
  views,
}) => {
  const positions: string[] = [];
  for (const id of ['1', '2', '3', '4']) positions.push(await workshop.append(id, added(id)));
  const [first = '', second = '', third = '', fourth = ''] = positions;
  const waiting = Promise.all([third, first, fourth, second, third].map((one) => views.waitFor(one)));
  workshop.start();
  assert.equal(
    await waiting,
    Array.from({ length: 5 }, () => 'applied'),
  );
});

test('given no runner, when a position is waited for, then late after two seconds, and at once from then on', async ({
  workshop,
  views,
}) => {
  const position = await workshop.append('1', added('1'));
  const began = performance.now();
  assert.is(await views.waitFor(position), 'late');
  assert.ok(performance.now() - began > 1_900);
  const again = performance.now();
  assert.is(await views.waitFor(await workshop.append('2', added('2'))), 'late');
  assert.ok(performance.now() - again < 500);
  workshop.start();
  await workshop.applied(await workshop.append('3', added('3')));
  await until(async () => (await views.waitFor(position)) === 'applied');
  assert.is(await views.waitFor(await workshop.append('4', added('4'))), 'applied');
});

test('given lost notifications, when a position is waited for, then the checkpoint tells', async ({
  workshop,
  views,
}) => {
  const position = await workshop.append('1', added('1'));
  const waiting = views.waitFor(position);
  await workshop.query(
    `insert into work.projection_checkpoints (view, version, position, log_id, status)
     values ('things', 1, $1, 'log', 'live')`,
    [position],
  );
  assert.is(await waiting, 'applied');
});

test('given events that change access, when they are applied, then the applications are named', async ({
  workshop,
  views,
}) => {
  const runner = workshop.start();
  await until(() => runner.state().phase === 'running' && runner.state().building.length === 0);
  await workshop.applied(await workshop.append('0', added('0')));
  const heard = hearAll(views);
  await views.waitFor(await workshop.append('1', added('1', { application_id: 'app-1' })));
  await views.waitFor(await workshop.append('2', added('2')));
  assert.equal(heard, [['app-1']]);
});

test('given more applications than a notification holds, or a rebuild, then all access is invalidated', async ({
  workshop,
  views,
}) => {
  const runner = workshop.start();
  await until(() => runner.state().phase === 'running' && runner.state().building.length === 0);
  await workshop.applied(await workshop.append('0', added('0')));
  const heard = hearAll(views);
  const changes = Array.from({ length: 400 }, (_, n) =>
    added(`a${n}`, { application_id: `application-with-a-long-name-${n}` }),
  );
  await views.waitFor(await workshop.append('1', ...changes));
  assert.equal(heard, ['all']);
  await rebuild(workshop.engine(things()), 'things', () => undefined);
  await until(() => heard.length === 2);
  assert.equal(heard, ['all', 'all']);
});

test('given a broken connection, when it is open again, then all access is invalidated', async ({
  workshop,
  views,
}) => {
  const heard = hearAll(views);
  const before = views.lastHeardAt();
  await workshop.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'holdfast listener%'`,
  );
  await until(() => heard.length > 0);
  await until(() => views.lastHeardAt() > before);
  assert.equal(heard, ['all']);
});

test('given a notification that is no announcement, then it is ignored', async ({ workshop, views }) => {
  const heard = hearAll(views);
  for (const payload of ['', 'nonsense', '3', '{"position":3}']) {
    await workshop.query('select pg_notify($1, $2)', ['holdfast_views', payload]);
  }
  await workshop.query('select pg_notify($1, $2)', ['holdfast_views', '{"position":"7"}']);
  await until(async () => (await views.waitFor('7')) === 'applied');
  assert.equal(heard, []);
});

test.run();
