import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { upcasting } from '#infra/eventlog/upcasting.ts';
import type { EventLog } from '#ports/eventLog.ts';
import type { Engine } from '#projections/engine/engine.ts';
import { rebuild } from '#projections/engine/rebuild.ts';
import { status } from '#projections/engine/status.ts';
import { added, renamed, things } from '#test/projections/support/things.ts';
import type { Workshop } from '#test/projections/support/workshop.ts';
import { openWorkshop } from '#test/projections/support/workshop.ts';

const test = suite<{ workshop: Workshop }>('putting rebuilt tables in the place of the old');

test.before.each(async (context) => {
  context.workshop = await openWorkshop();
});
test.after.each(async ({ workshop }) => {
  await workshop.end();
});

const refuses = 'bad';

/** An engine whose log hides all pages until it is told not to: as if those events came in at that very moment. */
function hiding(workshop: Workshop) {
  const { log } = workshop;
  let isHidden = true;
  const hidden: EventLog = {
    ...upcasting(log),
    readAll: (after, limit, types) =>
      isHidden
        ? Promise.resolve({ events: [], scanned: after, atHead: true })
        : log.readAll(after, limit, types),
  };
  const engine: Engine = { ...workshop.engine(things({ refuses })), log: hidden };
  return {
    engine,
    show: () => {
      isHidden = false;
    },
  };
}

/** A live view that has applied some events, one of which it could not take. */
async function live(workshop: Workshop): Promise<void> {
  const runner = workshop.start(things({ refuses }));
  await workshop.append('1', added('1'), renamed('1', 'bad'), renamed('1', 'after'));
  await workshop.applied(await workshop.append('2', added('2')));
  await runner.stop();
}

const bothThings = { '1': 'thing 1', '2': 'thing 2' };

test('given events that came at the last moment, when tables are switched, then the new ones hold what the old ones held', async ({
  workshop,
}) => {
  await live(workshop);
  const { engine, show } = hiding(workshop);
  const { position } = await rebuild(engine, 'things', ({ phase }) => {
    if (phase === 'switching') show();
  });
  assert.equal(await workshop.names(), bothThings);
  assert.is(position, await workshop.log.head());
});

test('given a switch that is undone, when it is tried again, then it begins where it was before', async ({
  workshop,
}) => {
  await live(workshop);
  const reader = await workshop.database.pools.owner.connect();
  try {
    await reader.query('begin; select count(*) from read_models.things');
    const { engine, show } = hiding(workshop);
    let tried = false;
    let undone: Promise<unknown> | undefined;
    const { parked } = await rebuild(engine, 'things', ({ phase }) => {
      if (phase === 'switching') {
        tried = true;
        show();
      }
      if (phase === 'tailing' && tried) undone ??= reader.query('commit');
    });
    assert.ok(undone, 'the first switch was not undone');
    assert.is(parked, 2);
  } finally {
    reader.release();
  }
  assert.equal(await workshop.names(), bothThings);
  const [view] = (await status(workshop.engine(things({ refuses })))).views;
  assert.equal(
    view?.parked.map(({ error }) => error),
    ['Error: a name is refused', null],
  );
});

test('given commits that do not wait for the disk while tables are filled, then the switch waits for it', async ({
  workshop,
}) => {
  await live(workshop);
  await workshop.query(`
    create table work.seen (synchronous_commit text);
    create function work.see() returns trigger language plpgsql as $$
    begin
      insert into work.seen select current_setting('synchronous_commit');
      return null;
    end $$;
    create trigger see after insert or update on work.projection_checkpoints
      for each statement execute function work.see()`);
  await rebuild(workshop.engine(things({ refuses })), 'things', () => undefined);
  const seen = await workshop.query('select distinct synchronous_commit from work.seen');
  assert.equal(seen, [{ synchronous_commit: 'on' }]);
});

test.run();
