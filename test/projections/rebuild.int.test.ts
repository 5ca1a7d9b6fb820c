import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Progress } from '#projections/engine/engine.ts';
import { UnknownEventType, UnknownView } from '#projections/engine/engine.ts';
import { rebuild } from '#projections/engine/rebuild.ts';
import { ViewBusy } from '#projections/engine/shadow.ts';
import { verify } from '#projections/engine/verify.ts';
import {
  added,
  removed,
  renamed,
  thingStream,
  tenantId,
  things,
  toAppend,
} from '#test/projections/support/things.ts';
import type { Workshop } from '#test/projections/support/workshop.ts';
import { openWorkshop } from '#test/projections/support/workshop.ts';

const test = suite<{ workshop: Workshop }>('rebuild and verify');
const silent = (): void => undefined;

test.before.each(async (context) => {
  context.workshop = await openWorkshop();
});
test.after.each(async ({ workshop }) => {
  await workshop.end();
});

/** Things with a history each, many in one append. */
async function appendMany(workshop: Workshop, prefix: string, count: number): Promise<string> {
  const appends = Array.from({ length: count }, (_, n) => {
    const id = `${prefix}${n}`;
    const later = n % 3 === 0 ? [renamed(id, `new ${id}`)] : n % 5 === 0 ? [removed(id)] : [];
    return { stream: thingStream(id), expected: 'none' as const, events: [added(id), ...later] };
  });
  await workshop.log.appendAll(appends);
  return String(await workshop.log.head());
}

async function leftOvers(workshop: Workshop): Promise<string[]> {
  const rows = await workshop.query<{ tablename: string }>(
    `select tablename from pg_tables where schemaname = 'read_models' order by tablename`,
  );
  return rows.map(({ tablename }) => tablename);
}

async function thrownBy(run: Promise<unknown>): Promise<unknown> {
  return run.then(
    () => assert.unreachable('it should have been refused'),
    (error: unknown) => error,
  );
}

test('given appends that go on, when a view is rebuilt, then nothing is missing and verify says equal', async ({
  workshop,
}) => {
  const engine = workshop.engine();
  workshop.start();
  await workshop.applied(await appendMany(workshop, 'before', 2_000));
  const writing = { goesOn: true };
  const writer = (async () => {
    let last = '0';
    for (let n = 0; writing.goesOn; n += 1) last = await appendMany(workshop, `during${n}-`, 7);
    return last;
  })();
  const phases = new Set<string>();
  const report = ({ phase }: Progress): void => {
    phases.add(phase);
  };
  const rebuilt = await rebuild(engine, 'things', report);
  const during = await verify(engine, 'things', report);
  writing.goesOn = false;
  await workshop.applied(await writer);
  const after = await verify(engine, 'things', report);
  assert.ok(during.equal);
  assert.ok(after.equal);
  assert.ok(rebuilt.events > 2_000);
  assert.is(after.tables[0]?.liveRows, Object.keys(await workshop.names()).length);
  assert.ok(
    ['reading', 'copying', 'indexing', 'tailing', 'switching', 'comparing'].every((p) => phases.has(p)),
  );
  assert.equal(await leftOvers(workshop), ['things_v1']);
});

test('given little memory, when a view is rebuilt and verified, then statements do the rest', async ({
  workshop,
}) => {
  await appendMany(workshop, 'a', 1_500);
  await appendMany(workshop, 'b', 1_500);
  const engine = workshop.engine();
  await rebuild(engine, 'things', silent, { budget: 1 });
  const frugal = await verify(engine, 'things', silent, { budget: 1 });
  assert.ok(frugal.equal);
  assert.ok((await verify(engine, 'things', silent)).equal);
  assert.equal(frugal.tables, [
    { table: 'things', equal: true, liveRows: 2_600, expectedRows: 2_600, changed: [] },
  ]);
});

test('given a rebuild, then key, indexes and the stable name are as they were', async ({ workshop }) => {
  const engine = workshop.engine();
  const indexNames = async (): Promise<string[]> => {
    const rows = await workshop.query<{ indexname: string }>(
      `select indexname from pg_indexes where schemaname = 'read_models' order by indexname`,
    );
    return rows.map(({ indexname }) => indexname);
  };
  await rebuild(engine, 'things', silent);
  const first = await indexNames();
  assert.equal(first, ['things_v1_added', 'things_v1_pkey', 'things_v1_renamed']);
  await rebuild(engine, 'things', silent);
  assert.equal(await indexNames(), first);
});

test('given a reader that holds the tables, when a view is rebuilt, then the switch waits its turn', async ({
  workshop,
}) => {
  const engine = workshop.engine();
  await appendMany(workshop, 'a', 10);
  await rebuild(engine, 'things', silent);
  const reader = await workshop.database.pools.owner.connect();
  await reader.query('begin; select count(*) from read_models.things');
  let rounds = 0;
  const rebuilt = rebuild(engine, 'things', ({ phase }) => {
    if (phase === 'tailing') rounds += 1;
    if (rounds === 3) void reader.query('commit');
  });
  await rebuilt;
  reader.release();
  assert.ok(rounds >= 3);
});

test('given a rebuild that is cancelled, then the old tables serve, and the next one succeeds', async ({
  workshop,
}) => {
  const engine = workshop.engine();
  await appendMany(workshop, 'a', 1_500);
  await rebuild(engine, 'things', silent);
  const before = await workshop.names();
  const cancelling = new AbortController();
  const cancelled = rebuild(
    engine,
    'things',
    () => {
      cancelling.abort();
    },
    { signal: cancelling.signal },
  );
  await thrownBy(cancelled);
  assert.equal(await workshop.names(), before);
  assert.equal(await leftOvers(workshop), ['things_v1']);
  await rebuild(engine, 'things', silent);
  assert.equal(await workshop.names(), before);
});

test('given a rebuild that was killed, when it is run again, then what it left is cleared away', async ({
  workshop,
}) => {
  const engine = workshop.engine();
  await appendMany(workshop, 'a', 1_500);
  const killed = rebuild(engine, 'things', ({ phase }) => {
    if (phase !== 'indexing') return;
    void workshop.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'holdfast projections%'`,
    );
  });
  await thrownBy(killed);
  assert.equal(await leftOvers(workshop), ['things_v1_shadow']);
  await rebuild(engine, 'things', silent);
  assert.equal(await leftOvers(workshop), ['things_v1']);
  assert.ok((await verify(engine, 'things', silent)).equal);
});

test('given a view that is being rebuilt, when it is rebuilt again, then it is refused', async ({
  workshop,
}) => {
  const engine = workshop.engine();
  await appendMany(workshop, 'a', 10);
  let second: Promise<unknown> | undefined;
  await rebuild(engine, 'things', ({ phase }) => {
    if (phase === 'reading') second ??= thrownBy(rebuild(engine, 'things', silent));
  });
  assert.instance(await second, ViewBusy);
});

test('given an unknown event type, when a view is rebuilt, then it is an error', async ({ workshop }) => {
  await workshop.append('1', added('1'), toAppend('thing.exploded', { id: '1' }));
  assert.instance(await thrownBy(rebuild(workshop.engine(), 'things', silent)), UnknownEventType);
  assert.instance(await thrownBy(rebuild(workshop.engine(), 'nothing', silent)), UnknownView);
});

test('given a raised version, when it is built, then the old one serves until the switch', async ({
  workshop,
}) => {
  await workshop.append('1', added('1'));
  await rebuild(workshop.engine(), 'things', silent);
  const served: Promise<Record<string, string>>[] = [];
  await rebuild(workshop.engine(things({ version: 2 })), 'things', ({ phase }) => {
    if (phase === 'indexing') served.push(workshop.names());
  });
  assert.equal(await Promise.all(served), [{ '1': 'thing 1' }]);
  assert.equal(await workshop.names(), { '1': 'thing 1' });
  assert.equal(await leftOvers(workshop), ['things_v2']);
});

test('given rows that were changed by hand, when the view is verified, then it is not equal', async ({
  workshop,
}) => {
  const engine = workshop.engine();
  await appendMany(workshop, 'a', 100);
  await rebuild(engine, 'things', silent);
  assert.ok((await verify(engine, 'things', silent)).equal);
  await workshop.query(`update read_models.things_v1 set details = '{"by":"hand"}' where id = 'a1'`);
  const changed = await verify(engine, 'things', silent);
  assert.not(changed.equal);
  assert.is(changed.tables[0]?.liveRows, changed.tables[0]?.expectedRows);
  assert.equal(changed.tables[0]?.changed, [`${tenantId} a1`]);
  await workshop.query(`delete from read_models.things_v1 where id = 'a1'`);
  const fewer = await verify(engine, 'things', silent);
  assert.not(fewer.equal);
  assert.is(fewer.tables[0]?.liveRows, 86);
  assert.is(fewer.tables[0]?.expectedRows, 87);
});

test.run();
