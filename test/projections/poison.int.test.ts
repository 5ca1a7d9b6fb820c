import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rebuild } from '#projections/engine/rebuild.ts';
import { replay } from '#projections/engine/replay.ts';
import { NotParked, skip } from '#projections/engine/skip.ts';
import { status } from '#projections/engine/status.ts';
import { verify } from '#projections/engine/verify.ts';
import { createViewMetrics } from '#src/main/viewMetrics.ts';
import { added, removed, renamed, thingStream, things, toAppend } from '#test/projections/support/things.ts';
import type { Workshop } from '#test/projections/support/workshop.ts';
import { openWorkshop } from '#test/projections/support/workshop.ts';
import { until } from '#test/support/until.ts';

const test = suite<{ workshop: Workshop }>('poison events');
const silent = (): void => undefined;

test.before.each(async (context) => {
  context.workshop = await openWorkshop();
});
test.after.each(async ({ workshop }) => {
  await workshop.end();
});

type Parked = { stream: string; type: string; error: string | null };

async function parkedIn(workshop: Workshop): Promise<Parked[]> {
  const { views } = await status(workshop.engine());
  return (views[0]?.parked ?? []).map(({ stream, type, error }) => ({ stream, type, error }));
}

async function startBuilt(workshop: Workshop, refuses?: string) {
  const runner = workshop.start(things({ refuses }));
  await until(() => runner.state().phase === 'running' && runner.state().building.length === 0);
  return runner;
}

test('given an event that cannot be applied, then its stream is parked in order and others go on', async ({
  workshop,
}) => {
  await startBuilt(workshop, 'bad');
  await workshop.append('1', added('1'), renamed('1', 'bad'), renamed('1', 'after'));
  await workshop.append('2', added('2'));
  await workshop.applied(await workshop.append('1', renamed('1', 'long after')));
  assert.equal(await workshop.names(), { '1': 'thing 1', '2': 'thing 2' });
  const stream = thingStream('1');
  assert.equal(await parkedIn(workshop), [
    { stream, type: 'thing.renamed', error: 'Error: a name is refused' },
    { stream, type: 'thing.renamed', error: null },
    { stream, type: 'thing.renamed', error: null },
  ]);
});

test('given a parked stream, when the runner is started again, then what comes on that stream waits, too', async ({
  workshop,
}) => {
  const runner = await startBuilt(workshop, 'bad');
  await workshop.applied(await workshop.append('1', added('1'), renamed('1', 'bad')));
  await runner.stop();
  await startBuilt(workshop, 'bad');
  await workshop.applied(await workshop.append('1', renamed('1', 'after')));
  assert.equal(await workshop.names(), { '1': 'thing 1' });
  assert.equal(
    (await parkedIn(workshop)).map(({ error }) => error),
    ['Error: a name is refused', null],
  );
});

test('given a parked stream and a runner that is gone, then metrics tell what is parked, how far and how old', async ({
  workshop,
}) => {
  const runner = await startBuilt(workshop, 'bad');
  await workshop.applied(await workshop.append('1', added('1'), renamed('1', 'bad')));
  const clock = { now: () => new Date('2030-01-02T03:05:05.678Z') };
  const metrics = createViewMetrics(workshop.engine(things({ refuses: 'bad' })), clock);
  const before = await metrics.metrics();
  assert.match(before, /^holdfast_projections_at_head 1$/m);
  assert.match(before, /^holdfast_view_parked_events\{view="things"\} 1$/m);
  assert.match(before, /^holdfast_view_position\{view="things"\} 2$/m);
  await runner.stop();
  await workshop.append('2', added('2'), toAppend('thing.exploded', { id: '2' }));
  const after = await metrics.metrics();
  assert.match(after, /^holdfast_projections_at_head 0$/m);
  assert.match(after, /^holdfast_view_lag_events\{view="things"\} 2$/m);
  assert.match(after, /^holdfast_view_lag_seconds\{view="things"\} 60$/m);
  await startBuilt(workshop, 'bad');
  await until(async () =>
    /^holdfast_unknown_events\{type="thing.exploded"\} 1$/m.test(await metrics.metrics()),
  );
  assert.match(await metrics.metrics(), /^holdfast_view_stopped\{view="things"\} 0$/m);
});

test('given rows that the table refuses among many, then only their streams are parked', async ({
  workshop,
}) => {
  await startBuilt(workshop);
  const streams = Array.from({ length: 60 }, (_, n) => String(n));
  await workshop.log.appendAll(
    streams.map((id) => ({
      stream: thingStream(id),
      expected: 'none' as const,
      events: [Number(id) % 20 === 7 ? added(id, { name: null }) : added(id)],
    })),
  );
  await workshop.append('27', renamed('27', 'too late'));
  await workshop.applied(await workshop.append('last', added('last', { name: 'nul \0 inside' })));
  const names = await workshop.names();
  assert.is(Object.keys(names).length, 57);
  assert.not('27' in names);
  const parked = await parkedIn(workshop);
  assert.equal(
    parked.map(({ stream }) => stream),
    ['27', '27', '47', '7', 'last'].map(thingStream),
  );
  assert.match(String(parked[0]?.error), '23502 null value in column "name"');
  assert.is(parked[1]?.error, null);
  const [live] = await workshop.query<{ last_error: string | null }>(
    'select last_error from work.projection_checkpoints',
  );
  assert.is(live?.last_error, null);
});

test('given parked events, when the code is right and they are replayed, then the stream is healed', async ({
  workshop,
}) => {
  const broken = await startBuilt(workshop, 'bad');
  await workshop.append('1', added('1'), renamed('1', 'bad'));
  await workshop.applied(await workshop.append('1', renamed('1', 'good')));
  assert.equal(await replay(workshop.engine(things({ refuses: 'bad' })), 'things'), {
    view: 'things',
    applied: 0,
    parked: 2,
  });
  await broken.stop();
  const runner = workshop.start();
  assert.equal(await replay(workshop.engine(), 'things'), { view: 'things', applied: 2, parked: 0 });
  assert.equal(await workshop.names(), { '1': 'good' });
  await workshop.applied(await workshop.append('1', renamed('1', 'goes on')));
  assert.equal(await workshop.names(), { '1': 'goes on' });
  assert.is(runner.state().phase, 'running');
  assert.ok((await verify(workshop.engine(), 'things', silent)).equal);
});

test('given a running runner, when a stream is replayed under it, then it takes up the stream again', async ({
  workshop,
}) => {
  await startBuilt(workshop);
  await workshop.applied(await workshop.append('1', added('1', { name: null })));
  await workshop.applied(await workshop.append('1', renamed('1', 'waits')));
  await workshop.query('alter table read_models.things_v1 alter column name drop not null');
  assert.equal(await replay(workshop.engine(), 'things'), { view: 'things', applied: 2, parked: 0 });
  await workshop.applied(await workshop.append('1', renamed('1', 'goes on')));
  assert.equal(await workshop.names(), { '1': 'goes on' });
});

test('given a parked event, when it is skipped, then it is left out for good', async ({ workshop }) => {
  await startBuilt(workshop, 'bad');
  const engine = workshop.engine(things({ refuses: 'bad' }));
  await workshop.append('1', added('1'), renamed('1', 'bad'));
  await workshop.applied(await workshop.append('1', renamed('1', 'good')));
  const [bad] = (await status(engine)).views[0]?.parked ?? [];
  await skip(engine, 'things', String(bad?.id));
  assert.equal(await replay(engine, 'things'), { view: 'things', applied: 1, parked: 0 });
  assert.equal(await workshop.names(), { '1': 'good' });
  assert.ok((await verify(engine, 'things', silent)).equal);
  assert.is((await rebuild(engine, 'things', silent)).parked, 0);
  assert.equal(await workshop.names(), { '1': 'good' });
  await skip(engine, 'things', String(bad?.id)).then(
    () => assert.unreachable('it is not parked any more'),
    (error: unknown) => assert.instance(error, NotParked),
  );
});

test('given events that cannot be applied, when the view is rebuilt, then they are parked again', async ({
  workshop,
}) => {
  await startBuilt(workshop);
  await workshop.append('1', added('1'), renamed('1', 'bad'), removed('1'));
  await workshop.append('2', added('2', { name: null }));
  await workshop.applied(await workshop.append('3', added('3')));
  const engine = workshop.engine(things({ refuses: 'bad' }));
  assert.is((await rebuild(engine, 'things', silent)).parked, 3);
  assert.equal(await workshop.names(), { '1': 'thing 1', '3': 'thing 3' });
  assert.is((await parkedIn(workshop)).length, 3);
  assert.ok((await verify(engine, 'things', silent)).equal);
});

test.run();
