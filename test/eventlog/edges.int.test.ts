import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEventStoreDbEventLog } from '#infra/eventlog/eventstoredb/eventLog.ts';
import { AppendTooLarge, LogRefused, LogUnavailable, StreamLost, UnknownOutcome } from '#ports/eventLog.ts';
import type { EventLog, LogPage } from '#ports/eventLog.ts';
import { StartupError } from '#src/startupError.ts';
import { randomId } from '#src/identifiers.ts';
import {
  appendUntilKnown,
  creation,
  event,
  eventsUntil,
  newStream,
  pagesUntil,
  rejection,
} from '#test/eventlog/helpers.ts';
import { EventStoreDbServer } from '#test/support/eventstoredb-server.ts';
import { failures } from '#test/support/eventstoredb/failures.ts';
import { generations } from '#test/support/eventstoredb/generation.ts';
import type { Generation } from '#test/support/eventstoredb/generation.ts';
import { until } from '#test/support/until.ts';

const test = suite('event log on EventStoreDB: as servers are');
const opened: { close(): Promise<void> | void }[] = [];

test.after.each(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

async function startServer(generation: Generation = '25.0.0'): Promise<EventStoreDbServer> {
  const server = await EventStoreDbServer.start(0, generation);
  opened.push({
    close: () => {
      server.stop();
    },
  });
  return server;
}

function openLog(server: EventStoreDbServer, streamPrefix = ''): EventLog {
  const { connectionString } = server;
  const log = createEventStoreDbEventLog({ connectionString, streamPrefix, watchdog: 300 });
  opened.push(log);
  return log;
}

/** `count` events of the domain, and the last one's stream. */
async function appendMany(log: EventLog, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await log.append(newStream(), 'none', [event()]);
}

for (const generation of generations) {
  test(`given catch-ups of 1 to 64 records on ${generation}, then no page reaches beyond the head, and each to it`, async () => {
    const server = await startServer(generation);
    const log = openLog(server);
    await appendMany(log, 1);
    let after = await log.head();
    for (const count of [1, 31, 1, 32, 30, 31, 63]) {
      await appendMany(log, count);
      const head = await log.head();
      const pages = await pagesUntil(log, after, undefined, (all) => all.at(-1)?.scanned === head);
      assert.is(eventsIn(pages).length, count);
      after = head;
    }
  });

  test(`given positions of no record that were saved on ${generation}, then a reader goes on from the record before`, async () => {
    const server = await startServer(generation);
    const log = openLog(server);
    await appendMany(log, 3);
    const [first, second] = server.log.records.slice(-3).map(({ position }) => position);
    const head = await log.head();
    const end = `${server.log.end}/0`;
    const nowhere = `${2n ** 64n - 1n}/${2n ** 64n - 1n}`;
    assert.is(await log.lastRecordAt(end), head);
    assert.is(await log.lastRecordAt(nowhere), null);
    assert.is(await log.lastRecordAt(`${second}/0`), `${first}/${first}`);
    assert.is(await log.lastRecordAt('900000000000/900000000000'), '900000000000/900000000000');
    assert.is(await log.lastRecordAt('900000000000/0'), '900000000000/0', 'too far to be the end');
    assert.ok(log.comparePositions(nowhere, head ?? '') < 0);
    const next = event();
    await log.append(newStream(), 'none', [next]);
    const has = (seen: readonly { id: string }[]) => seen.some(({ id }) => id === next.id);
    assert.is((await eventsUntil(log, end, has)).length, 1);
    assert.is((await eventsUntil(log, nowhere, has)).length, 4);
    assert.is((await eventsUntil(log, `${second}/0`, has)).length, 3);
    assert.is((await log.readAll(`${second}/0`, 10)).events.length, 3);
  });

  test(`given many records of others after the last event on ${generation}, then a subscription passes them soon`, async () => {
    const server = await startServer(generation);
    const { connectionString } = server;
    const log = createEventStoreDbEventLog({ connectionString, streamPrefix: '', watchdog: 600_000 });
    opened.push(log);
    await appendMany(log, 1);
    for (let n = 0; n < 3_000; n += 1) {
      server.log.append('somebody-else', n === 0 ? null : BigInt(n) - 1n, [foreign()]);
    }
    const head = await log.head();
    const pages = await pagesUntil(log, null, undefined, (all) => all.at(-1)?.scanned === head);
    assert.is(eventsIn(pages).length, 1);
  });

  test(`given a burst on ${generation}, then every event comes once`, async () => {
    const server = await startServer(generation);
    const log = openLog(server);
    const written = Array.from({ length: 4 }, () => Array.from({ length: 300 }, () => event()));
    const reading = eventsUntil(log, null, (seen) => seen.length >= 1_200);
    for (const events of written) await log.append(newStream(), 'none', events);
    const ids = (await reading).map(({ id }) => id);
    assert.equal(
      ids,
      written.flat().map(({ id }) => id),
    );
  });
}

test('given a node that does not lead, then what decides is asked of the leader', async () => {
  const [leader, follower] = [await startServer(), await startServer()];
  follower.leader = { address: '127.0.0.1', port: leader.port };
  const log = openLog(follower);
  const { stream, expected, events } = creation();
  await log.append(stream, expected, events);
  assert.is(follower.log.stream(stream).length, 0);
  assert.is((await log.readStream(stream)).length, 1);
  const reader = openLog(follower);
  assert.is((await reader.readStream(stream)).length, 1);
  assert.is(await openLog(follower).head(), await log.head());
  assert.is(await openLog(follower).logId(), await log.logId());
});

test('given streams that others deleted or truncated, then that is said, and revisions are the server’s', async () => {
  const server = await startServer();
  const log = openLog(server);
  const { stream } = creation();
  const events = [event(), event(), event()];
  await log.append(stream, 'none', events);
  server.log.delete(stream);
  assert.equal(await log.readStream(stream), []);
  await rejection(log.append(stream, 'none', events), StreamLost);
  assert.is((await log.append(stream, 'none', [event()])).revision, 3n);
  assert.match((await rejection(log.readStream(stream), StreamLost)).message, 'revision 3');
  const buried = creation();
  await log.append(buried.stream, 'none', buried.events);
  server.log.bury(buried.stream);
  await rejection(log.append(buried.stream, 'none', buried.events), StreamLost);
  await rejection(log.append(buried.stream, 0n, [event()]), StreamLost);
  await rejection(log.readStream(buried.stream), StreamLost);
  const shortened = creation();
  await log.append(shortened.stream, 'none', [event(), event()]);
  server.log.truncate(shortened.stream, 1n);
  await rejection(log.readStream(shortened.stream), StreamLost);
  assert.is((await log.readStream(shortened.stream, 1n)).length, 1);
});

test('given events that are too large for one append, then they are refused, and nothing is written', async () => {
  const log = openLog(await startServer());
  const { stream } = creation();
  await rejection(
    log.append(stream, 'none', [event('token.created', { a: 'x'.repeat(1_048_576) })]),
    AppendTooLarge,
  );
  assert.equal(await log.readStream(stream), []);
});

test('given prefixes one of which begins the other, then neither sees the other’s events', async () => {
  const server = await startServer();
  // As installations of earlier versions are called.
  for (const prefix of ['prod', 'prod2']) {
    const meta = { id: randomId(), type: 'meta.log_created', contentType: 'application/json' };
    server.log.append(`${prefix}meta-log`, null, [
      { ...meta, data: Buffer.from('{}'), metadata: Buffer.from('') },
    ]);
  }
  const [one, other] = [openLog(server, 'prod'), openLog(server, 'prod2')];
  assert.is.not(await one.logId(), await other.logId());
  const [mine, theirs] = [creation(), creation()];
  await one.append(mine.stream, 'none', mine.events);
  await other.append(theirs.stream, 'none', theirs.events);
  const seen = await eventsUntil(one, null, (all) => all.length > 0);
  assert.equal(
    [...seen, ...(await one.readAll(null, 100)).events].map(({ stream }) => stream),
    [mine.stream, mine.stream],
  );
});

test('given a new installation, then a prefix without a separator at its end is refused by a sentence', async () => {
  const server = await startServer();
  const failure = await rejection(openLog(server, 'prod').logId(), StartupError);
  assert.match(failure.message, "HOLDFAST_STREAM_PREFIX is 'prod'");
  assert.type(await openLog(server, 'prod.').logId(), 'string');
});

test('given events of others of any shape, then they are passed over', async () => {
  const server = await startServer();
  const log = openLog(server);
  for (const metadata of ['null', '5', '[1]', '"text"', '{"tenant_id":5}', '{broken', '']) {
    for (const data of ['{}', 'null', '{broken']) {
      const foreign = { id: randomId(), type: 'token.created', contentType: 'application/json' };
      server.log.append(newStream(), null, [
        { ...foreign, data: Buffer.from(data), metadata: Buffer.from(metadata) },
      ]);
    }
  }
  const { stream, events } = creation();
  await log.append(stream, 'none', events);
  assert.equal(
    (await eventsUntil(log, null, (all) => all.length > 0)).map((one) => one.stream),
    [stream],
  );
  assert.is((await log.readAll(null, 100)).events.length, 1);
});

test('given a user who may not read $all, then reads and subscriptions say what is missing', async () => {
  const server = await startServer();
  server.allDenied = true;
  const log = openLog(server);
  assert.match((await rejection(log.head(), LogRefused)).message, 'readRoles');
  const reading = pagesUntil(log, null, undefined, () => true);
  assert.match((await rejection(reading, LogRefused)).message, 'readRoles');
  server.failNextAppend(failures.unauthenticated);
  await rejection(log.append(newStream(), 'none', [event()]), LogRefused);
});

test('given the errors of a cluster under way, then an append is not made, or its outcome is unknown', async () => {
  const server = await startServer();
  const log = openLog(server);
  const inDoubt = ['commitTimeout', 'forwardingTimeout', 'canceled', 'notReady', 'dropped', 'reset'] as const;
  for (const name of inDoubt) {
    const { stream, events } = creation();
    server.failNextAppend(failures[name], { written: true });
    await rejection(log.append(stream, 'none', events), UnknownOutcome);
    assert.is((await appendUntilKnown(log, { stream, expected: 'none', events })).revision, 0n, name);
  }
  server.failNextRead(failures.notReady);
  await rejection(log.readStream(newStream()), LogUnavailable);
});

test('given a server that hangs, then a read is given up as unavailable, an append as unknown, and a repetition tells', async () => {
  const server = await startServer();
  const log = openLog(server);
  await log.logId();
  server.hang();
  const { stream, events } = creation();
  const begun = performance.now();
  await Promise.all([
    rejection(log.readStream(stream), LogUnavailable),
    rejection(log.append(stream, 'none', events), UnknownOutcome),
  ]);
  assert.ok(performance.now() - begun < 8_000, 'a try has four seconds, and a busy machine some more');
  server.goOn();
  assert.is((await appendUntilKnown(log, { stream, expected: 'none', events })).revision, 0n);
});

test('given a list of streams, then many are appended to at the same time', async () => {
  const server = await startServer();
  const log = openLog(server);
  await log.logId();
  const before = server.calls.append;
  server.hang();
  const appending = log.appendAll(Array.from({ length: 20 }, () => creation()));
  await until(() => server.calls.append === before + 20);
  server.goOn();
  assert.ok((await appending).every(({ outcome }) => outcome === 'appended'));
});

function foreign(): Parameters<EventStoreDbServer['log']['append']>[2][number] {
  const nothing = Buffer.from('{}');
  return { id: randomId(), type: 'stats', contentType: 'application/json', data: nothing, metadata: nothing };
}

function eventsIn(pages: readonly LogPage[]): unknown[] {
  return pages.flatMap(({ events }) => events);
}

test.run();
