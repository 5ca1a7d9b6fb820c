import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readCheckpoints } from '#projections/engine/checkpoints.ts';
import { rebuild } from '#projections/engine/rebuild.ts';
import { createRunner } from '#projections/engine/runner.ts';
import { verify } from '#projections/engine/verify.ts';
import type { Projection, RowChange } from '#projections/projection.ts';
import { added, removed, renamed, thingTypes, things } from '#test/projections/support/things.ts';
import type { Workshop } from '#test/projections/support/workshop.ts';
import { openWorkshop } from '#test/projections/support/workshop.ts';
import { until } from '#test/support/until.ts';

/** How many things there are by the first letter of their id, and how often one was renamed. */
const counts: Projection = {
  name: 'counts',
  version: 1,
  tables: [
    {
      name: 'counts',
      tenantColumn: 'tenant_id',
      key: ['tenant_id', 'letter'],
      columns: { tenant_id: 'uuid', letter: 'text', things: 'int8', renamings: 'int8' },
      notNull: ['things', 'renamings'],
    },
  ],
  handles: thingTypes,
  apply: (event): RowChange[] => {
    const key = { tenant_id: event.metadata.tenant_id, letter: String(event.data['id']).charAt(0) };
    const counted = (things: number, renamings: number): RowChange[] => [
      { op: 'add', table: 'counts', key, add: { things, renamings } },
    ];
    if (event.type === 'thing.renamed') return counted(0, 1);
    return counted(event.type === 'thing.added' ? 1 : -1, 0);
  },
};

const test = suite<{ workshop: Workshop }>('sums');

test.before.each(async (context) => {
  context.workshop = await openWorkshop();
});
test.after.each(async ({ workshop }) => {
  await workshop.end();
});

const silent = (): void => undefined;
const rows = (workshop: Workshop): Promise<object[]> =>
  workshop.query('select letter, things::int, renamings::int from read_models.counts order by letter');

async function write(workshop: Workshop): Promise<string> {
  for (let n = 0; n < 30; n += 1) await workshop.append(`a${n}`, added(`a${n}`), renamed(`a${n}`, 'new'));
  for (let n = 0; n < 10; n += 1) await workshop.append(`a${n}`, removed(`a${n}`));
  return workshop.append('b', added('b'), removed('b'));
}

const expected = [
  { letter: 'a', things: 20, renamings: 30 },
  { letter: 'b', things: 0, renamings: 0 },
];

test('given events as they come, when they are applied, then the sums are right, and verify says equal', async ({
  workshop,
}) => {
  workshop.start(counts);
  await workshop.applied(await write(workshop));
  assert.equal(await rows(workshop), expected);
  assert.ok((await verify(workshop.engine(counts), 'counts', silent)).equal);
});

test('given a history, when a view of sums is rebuilt in memory or by statements, then the sums are the same', async ({
  workshop,
}) => {
  await write(workshop);
  const engine = workshop.engine(counts);
  await rebuild(engine, 'counts', silent);
  assert.equal(await rows(workshop), expected);
  await rebuild(engine, 'counts', silent, { budget: 1 });
  assert.equal(await rows(workshop), expected);
});

test('given views at different positions, when a page reaches both, then neither applies an event twice', async ({
  workshop,
}) => {
  const engine = { ...workshop.engine(), projections: [counts, things()] };
  for (const view of ['counts', 'things']) await rebuild(engine, view, silent);
  await write(workshop);
  await rebuild(engine, 'counts', silent);
  await workshop.append('c', added('c'));
  const runner = createRunner(engine);
  runner.start();
  try {
    const head = await workshop.log.head();
    await until(async () =>
      (await readCheckpoints(workshop.database.pools.owner)).every(({ position }) => position === head),
    );
  } finally {
    await runner.stop();
  }
  assert.equal(await rows(workshop), [...expected, { letter: 'c', things: 1, renamings: 0 }]);
  assert.is(Object.keys(await workshop.names()).length, 21);
});

test.run();
