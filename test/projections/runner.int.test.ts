import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { added, removed, renamed, tenantId, toAppend } from '#test/projections/support/things.ts';
import type { Workshop } from '#test/projections/support/workshop.ts';
import { openWorkshop } from '#test/projections/support/workshop.ts';
import { until } from '#test/support/until.ts';

const test = suite<{ workshop: Workshop }>('projection runner');

test.before.each(async (context) => {
  context.workshop = await openWorkshop();
});
test.after.each(async ({ workshop }) => {
  await workshop.end();
});

test('given events of every kind, when the runner applies them, then the rows are there', async ({
  workshop,
}) => {
  const details = { text: 'a "quoted" \\ back\tslash\n', list: [1, null, { deep: true }] };
  await workshop.append('1', added('1', { tags: ['plain', 'with "quotes"', 'back\\slash', ''], details }));
  await workshop.append('2', added('2'), renamed('2', 'first'), renamed('2', 'second'));
  await workshop.append('3', added('3'), removed('3'));
  const last = await workshop.append('4', renamed('4', 'never added'));
  workshop.start();
  await workshop.applied(last);
  const rows = await workshop.query('select * from read_models.things order by id');
  const common = {
    tenant_id: tenantId,
    size: 7,
    active: true,
    digest: Buffer.from([0, 92, 255]),
    added_at: new Date('2030-01-02T03:04:05.678Z'),
  };
  assert.equal(rows, [
    {
      ...common,
      id: '1',
      name: 'thing 1',
      tags: ['plain', 'with "quotes"', 'back\\slash', ''],
      details,
      ordinal: '1',
      renamed_at: null,
    },
    {
      ...common,
      id: '2',
      name: 'second',
      tags: null,
      details: null,
      ordinal: '2',
      renamed_at: new Date('2030-01-02T03:04:05.678Z'),
    },
  ]);
});

test('given a running runner, when events come one by one, then each is applied by statements', async ({
  workshop,
}) => {
  workshop.start();
  await until(async () => (await workshop.query('select from work.projection_checkpoints')).length > 0);
  const details = { text: 'a "quoted" \\ back\tslash\n' };
  const tags = ['with "quotes"', 'back\\slash', 'a,b', '{}'];
  await workshop.applied(await workshop.append('1', added('1', { tags, details })));
  await workshop.applied(await workshop.append('2', added('2')));
  await workshop.applied(await workshop.append('1', renamed('1', 'new name')));
  await workshop.applied(await workshop.append('2', removed('2')));
  const rows = await workshop.query('select id, name, tags, details from read_models.things');
  assert.equal(rows, [{ id: '1', name: 'new name', tags, details }]);
});

test('given a runner that is stopped again and again, when all is applied, then each event counted once', async ({
  workshop,
}) => {
  await workshop.query(`create table public.changes (operation text)`);
  const runner = workshop.start();
  await until(() => runner.state().building.length === 0);
  await workshop.query(`
    create function public.count_change() returns trigger language plpgsql as
      $$ begin insert into public.changes values (tg_op); return null; end $$;
    create trigger counted after insert or update on read_models.things_v1
      for each row execute function public.count_change()`);
  await runner.stop();
  const total = 300;
  let last = '0';
  let next = workshop.start();
  for (let n = 0; n < total; n += 1) {
    last = await workshop.append(String(n), added(String(n)));
    if (n % 40 !== 39) continue;
    await next.stop();
    next = workshop.start();
  }
  await workshop.applied(last);
  const [counted] = await workshop.query<{ changes: string }>('select count(*) as changes from changes');
  assert.is(counted?.changes, String(total));
  assert.is(Object.keys(await workshop.names()).length, total);
});

test('given two runners, when the working one is killed, then the other takes over', async ({ workshop }) => {
  const { connection } = workshop.database;
  const first = await startProcess(connection.connectionString);
  try {
    await workshop.applied(await workshop.append('1', added('1')));
    const second = workshop.start();
    await until(() => second.state().phase === 'standby' && second.state().building.length === 0);
    await workshop.applied(await workshop.append('2', added('2')));
    assert.is(second.state().phase, 'standby');
    first.kill('SIGKILL');
    await once(first, 'exit');
    await workshop.applied(await workshop.append('3', added('3')));
    assert.is(second.state().phase, 'running');
    assert.equal(Object.keys(await workshop.names()), ['1', '2', '3']);
  } finally {
    first.kill('SIGKILL');
  }
});

test('given a runner, when its connection breaks, then it goes on by itself', async ({ workshop }) => {
  const runner = workshop.start();
  await workshop.applied(await workshop.append('1', added('1')));
  await workshop.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'holdfast projections%'`,
  );
  await workshop.applied(await workshop.append('2', added('2')));
  await until(() => runner.state().phase === 'running' && runner.state().error === undefined);
});

test('given an event of an unknown type, when the runner meets it, then it goes on and records it', async ({
  workshop,
}) => {
  const runner = workshop.start();
  await until(() => runner.state().phase === 'running' && runner.state().building.length === 0);
  await workshop.append('1', added('1'), toAppend('thing.exploded', { id: '1' }));
  const last = await workshop.append('1', renamed('1', 'whole'));
  await workshop.applied(last);
  assert.equal(await workshop.names(), { '1': 'whole' });
  const recorded = await workshop.query('select type, events from work.projection_unknown_types');
  assert.equal(recorded, [{ type: 'thing.exploded', events: '1' }]);
});

async function startProcess(url: string | undefined): Promise<ChildProcess> {
  const child = fork(new URL('support/runnerProcess.ts', import.meta.url), {
    env: { ...process.env, RUNNER_DATABASE_URL: url },
  });
  await once(child, 'message');
  return child;
}

test.run();
