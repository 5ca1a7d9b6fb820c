import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { administer } from '#test/backup/support/backups.ts';
import { EventStoreDbServer } from '#test/support/eventstoredb-server.ts';
import { refusalOf } from '#test/support/refusalOf.ts';
import {
  newDataDirectory,
  removeDataDirectory,
  request,
  runHoldfast,
  startService,
} from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

type Context = { directory: string; server: EventStoreDbServer };

const wrongLog = suite<Context>('the service and a log that is not its own');

wrongLog.before.each(async (context) => {
  context.directory = await newDataDirectory();
  context.server = await EventStoreDbServer.start();
});
wrongLog.after.each(async ({ directory, server }) => {
  server.stop();
  await removeDataDirectory(directory);
});

const create = (service: ServiceProcess) =>
  request<{ id: string }>(service, 'POST', '/tokens', {
    key: service.credentials.private,
    body: { type: 'card_number', data: '4242424242424242' },
  });
const statusOf = async (service: ServiceProcess, id: string): Promise<number> =>
  (await request(service, 'GET', `/tokens/${id}`, { key: service.credentials.private })).status;
const listed = async (service: ServiceProcess): Promise<string[]> => {
  const { body } = await request<{ data: { id: string }[] }>(service, 'GET', '/tokens', {
    key: service.credentials.private,
  });
  return body.data.map(({ id }) => id);
};
const on = ({ connectionString }: EventStoreDbServer, prefix = '') => ({
  EVENTSTOREDB_URL: connectionString,
  HOLDFAST_STREAM_PREFIX: prefix,
});

wrongLog(
  'given an installation on an event store, when it is started on another log, then it is refused, and no payload goes',
  async ({ directory, server }) => {
    const service = await startService(directory, on(server));
    const { body: token } = await create(service);
    assert.is(await service.end(), 0);
    await administer(directory, `update vault.payloads set stored_at = stored_at - interval '2 hours'`);
    const other = await EventStoreDbServer.start();
    for (const environment of [{}, on(server, 'other.'), on(other)]) {
      const { code, said } = await refusalOf(startService(directory, environment));
      assert.is(code, 1);
      assert.match(
        said,
        /holdfast: this installation writes to the event log \S+ \(EventStoreDB at 127\.0\.0\.1:\d+\), and the settings name the event log \S+ \(.*\): set EVENTSTOREDB_URL and HOLDFAST_STREAM_PREFIX as they were/,
      );
      assert.not.match(said, /\n {4}at /);
    }
    other.stop();
    const again = await startService(directory, on(server));
    assert.is(await statusOf(again, token.id), 200);
    assert.equal(await listed(again), [token.id]);
    assert.is(await again.end(), 0);
  },
);

wrongLog(
  'given an event store that an installation has, when another one is started on it, then that is refused, and works beside it',
  async ({ directory, server }) => {
    const service = await startService(directory, on(server));
    assert.is((await create(service)).status, 201);
    const records = server.log.records.length;
    const beside = await newDataDirectory();
    const { said } = await refusalOf(startService(beside, on(server)));
    assert.match(said, 'belongs to another installation: give this one a HOLDFAST_STREAM_PREFIX');
    assert.is(server.log.records.length, records);
    const second = await startService(beside, on(server, 'beside_'));
    assert.is((await create(second)).status, 201);
    assert.is((await create(service)).status, 201);
    assert.is(await second.end(), 0);
    assert.is(await service.end(), 0);
    await removeDataDirectory(beside);
  },
);

wrongLog(
  'given events of before bindings, when a new installation starts on them, then it is refused; their own is bound',
  async ({ directory, server }) => {
    const service = await startService(directory, on(server));
    const { body: token } = await create(service);
    assert.is(await service.end(), 0);
    // As an earlier version left both.
    await administer(directory, 'update work.installation set log_id = null, log_place = null');
    const bound = server.log.records.filter(({ type }) => type === 'meta.installation_bound');
    assert.is(bound.length, 1);
    server.log.remove('meta.installation_bound');
    const beside = await newDataDirectory();
    const { said } = await refusalOf(startService(beside, on(server)));
    assert.match(said, 'holds events of tenants that this installation does not know');
    await removeDataDirectory(beside);
    const again = await startService(directory, on(server));
    assert.is(await statusOf(again, token.id), 200);
    assert.is(await again.end(), 0);
    assert.ok(server.log.records.some(({ type }) => type === 'meta.installation_bound'));
  },
);

wrongLog(
  'given an event store that was put back and grew again, then nothing is acknowledged, until the log is adopted',
  async ({ directory, server }) => {
    let service = await startService(directory, on(server));
    const { body: kept } = await create(service);
    const marked = server.log.records.length;
    const { body: lost } = await create(service);
    await until(async () => (await listed(service)).length === 2);
    assert.is(await service.end(), 0);
    // The same server, as its backup was; and it goes on with what is not lost.
    server.log.putBack(marked);
    server.log.append('token-elsewhere', null, [record(), record(), record(), record(), record()]);
    const { said } = await refusalOf(startService(directory, on(server)));
    assert.match(said, /no longer has the event \S+ at \S+, which the \S+ \S+ has read: it was put back/);

    const adopt = (...words: string[]) =>
      runHoldfast(['log', 'adopt', ...words], { HOLDFAST_DATA_DIR: directory, ...on(server) });
    const unasked = await adopt();
    assert.is(unasked.code, 1);
    assert.match(unasked.out, /Bound to: +event log \S+ \(EventStoreDB at .*\)\nSettings name: event log/);
    assert.match(unasked.err, 'say --yes');
    await refusalOf(startService(directory, on(server)));

    const adopted = await adopt('--yes');
    assert.is(adopted.code, 0, adopted.err);
    assert.match(adopted.out, /The last event that both logs share is \S+ at \S+\./);
    assert.match(adopted.out, /tokens: made anew from \d+ events/);
    service = await startService(directory, on(server));
    assert.is(await statusOf(service, kept.id), 200);
    assert.is(await statusOf(service, lost.id), 404);
    assert.equal(await listed(service), [kept.id]);
    assert.is((await create(service)).status, 201);
    const running = await adopt('--yes');
    assert.is(running.code, 1);
    assert.match(running.err, 'the service runs');
    assert.is(await service.end(), 0);
    const [entry] = await administer(
      directory,
      `select actor_type, detail from audit.entries where operation = 'adopt'`,
    );
    assert.is(entry?.['actor_type'], 'operator');
    // What the lost event referred to is looked for anew, as soon as it is an hour old.
    await administer(
      directory,
      `update vault.payloads set stored_at = stored_at - interval '2 hours';
       update vault.sweeps set swept_to = swept_to - interval '2 hours'`,
    );
    service = await startService(directory, on(server));
    await until(
      async () => (await administer(directory, 'select from vault.quarantined_payloads')).length === 1,
    );
    assert.is(await service.end(), 0);
    const nothing = await adopt('--yes');
    assert.is(nothing.code, 0);
    assert.match(nothing.out, 'there is nothing to adopt');
  },
);

wrongLog(
  'given a running service, when its event store is put back, then writes are 503 and it is not ready',
  async ({ directory, server }) => {
    const service = await startService(directory, on(server));
    const marked = server.log.records.length;
    assert.is((await create(service)).status, 201);
    await until(async () => (await listed(service)).length === 1);
    server.stop();
    server.log.putBack(marked);
    server.log.append('somebody-else', null, [record(), record(), record(), record(), record()]);
    await server.restart();
    const readiness = async (): Promise<string> => (await fetch(`${service.url}/readyz`)).text();
    await until(async () => (await readiness()).includes('no longer has the event'));
    for (let number = 0; number < 3; number += 1) assert.is((await create(service)).status, 503);
    assert.ok(server.log.records.every(({ type }) => type !== 'token.created'));
    assert.is(await service.end(), 0);
  },
);

function record() {
  return {
    id: crypto.randomUUID(),
    type: 'stats',
    contentType: 'application/json',
    data: Buffer.from('{}'),
    metadata: Buffer.from('{}'),
  };
}

wrongLog.run();
