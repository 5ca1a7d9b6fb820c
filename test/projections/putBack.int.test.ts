import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rebuild } from '#projections/engine/rebuild.ts';
import { readCheckpoints } from '#projections/engine/checkpoints.ts';
import { lastEventOf } from '#src/lastEvent.ts';
import { added } from '#test/projections/support/things.ts';
import { openWorkshop } from '#test/projections/support/workshop.ts';
import { createTestDatabase } from '#test/support/database.ts';
import { logsToPutBack } from '#test/support/logsToPutBack.ts';
import { until } from '#test/support/until.ts';

const silent = (): void => undefined;

for (const { name, open } of logsToPutBack) {
  const test = suite(`views of a log that was put back: ${name}`);

  test('given a log that grew again past the checkpoint, when the views resume, then they stop and say why', async () => {
    const database = await createTestDatabase();
    const { log, mark, putBack, close } = await open(database);
    const workshop = await openWorkshop(log, database);
    await workshop.append('1', added('1'));
    await rebuild(workshop.engine(), 'things', silent);
    await mark();
    const runner = workshop.start();
    const lost = await workshop.append('2', added('2'));
    await workshop.applied(lost);
    await runner.stop();
    const [checkpoint] = await readCheckpoints(database.pools.owner);
    const [event] = await log.readStream(workshop.streamOf('2'));
    assert.ok(event);
    assert.equal(checkpoint?.lastEvent, lastEventOf(event));
    await putBack();
    for (const id of ['3', '4', '5']) await workshop.append(id, added(id));
    const head = await log.head();
    assert.ok(head !== null && log.comparePositions(head, lost) > 0);
    const resumed = workshop.start();
    await until(() => resumed.state().phase === 'stopped');
    assert.match(String(resumed.state().error), `has applied the event ${event.id} at ${lost}`);
    assert.equal(Object.keys(await workshop.names()), ['1', '2']);
    await rebuild(workshop.engine(), 'things', silent, { adoptLog: true });
    const again = workshop.start();
    await workshop.applied(await workshop.append('6', added('6')));
    assert.is(again.state().phase, 'running');
    assert.equal(Object.keys(await workshop.names()), ['1', '3', '4', '5', '6']);
    await workshop.end();
    await close();
  });

  test('given a rebuilt view on a quiet log, then its checkpoint names the last event, too', async () => {
    const database = await createTestDatabase();
    const { log, close } = await open(database);
    const workshop = await openWorkshop(log, database);
    for (const id of ['1', '2']) await workshop.append(id, added(id));
    await rebuild(workshop.engine(), 'things', silent);
    const [checkpoint] = await readCheckpoints(database.pools.owner);
    const [event] = await log.readStream(workshop.streamOf('2'));
    assert.ok(event);
    assert.equal(checkpoint?.lastEvent, lastEventOf(event));
    await workshop.end();
    await close();
  });

  test.run();
}
