import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEventStoreDbEventLog } from '#infra/eventlog/eventstoredb/eventLog.ts';
import { LogUnavailable, UnknownOutcome } from '#ports/eventLog.ts';
import type { EventLog } from '#ports/eventLog.ts';
import { SettingError } from '#src/settingValues.ts';
import { randomId } from '#src/identifiers.ts';
import { runContract } from '#test/eventlog/contract.ts';
import type { Engine } from '#test/eventlog/contract/engine.ts';
import {
  appendUntilKnown,
  creation,
  event,
  eventsUntil,
  newStream,
  rejection,
} from '#test/eventlog/helpers.ts';
import { EventStoreDbServer } from '#test/support/eventstoredb-server.ts';
import { generations } from '#test/support/eventstoredb/generation.ts';
import type { Generation } from '#test/support/eventstoredb/generation.ts';

/** A server that other applications write to as well. */
async function inProcess(streamPrefix: string, generation: Generation): Promise<Engine> {
  const server = await EventStoreDbServer.start(0, generation);
  const { log, open, close } = logsOn(server.connectionString, streamPrefix);
  return {
    log,
    open,
    interrupt: () => server.restart(),
    close: async () => {
      await close();
      server.stop();
    },
  };
}

function logsOn(connectionString: string, streamPrefix: string): Engine {
  const logs: EventLog[] = [];
  const open = (): EventLog => {
    const log = createEventStoreDbEventLog({ connectionString, streamPrefix, watchdog: 500 });
    logs.push(log);
    return log;
  };
  return {
    log: open(),
    open,
    close: async () => {
      await Promise.all(logs.map((log) => log.close()));
    },
  };
}

for (const generation of generations) {
  for (const prefix of ['', 'holdfast.']) {
    const how = prefix === '' ? '' : ', with a prefix';
    runContract(`EventStoreDB, in-process server as ${generation}${how}`, () =>
      inProcess(prefix, generation),
    );
  }
}

const realServer = process.env['EVENTSTOREDB_URL'];
if (realServer !== undefined) {
  runContract('EventStoreDB, real server', () => Promise.resolve(logsOn(realServer, `test_${randomId()}.`)));
}

const test = suite('event log on EventStoreDB');
let server: EventStoreDbServer;
let engine: Engine;

test.before.each(async () => {
  server = await EventStoreDbServer.start();
  engine = logsOn(server.connectionString, 'holdfast.');
});
test.after.each(async () => {
  await engine.close();
  server.stop();
});

test('given a reply that was lost, then the outcome is unknown, and a repetition tells it', async () => {
  const { log } = engine;
  const { stream, expected, events } = creation();
  server.dropNextReply();
  await rejection(log.append(stream, expected, events), UnknownOutcome);
  const found = await log.append(stream, expected, events);
  assert.equal(
    (await log.readStream(stream)).map(({ revision, position }) => [revision, position]),
    [[found.revision, found.position]],
  );
});

test('given a list that was cut off after its first member, then the outcome is unknown', async () => {
  const { log } = engine;
  const appends = [creation(), creation()];
  const [first] = appends;
  if (first === undefined) throw new Error('there are two appends');
  await log.append(first.stream, first.expected, first.events);
  server.dropNextReply();
  await rejection(log.appendAll(appends), UnknownOutcome);
  assert.equal(
    (await log.appendAll(appends)).map(({ outcome }) => outcome),
    ['appended', 'appended'],
  );
});

test('given no server, then nothing was written for certain', async () => {
  server.stop();
  const { log } = engine;
  await rejection(log.append(newStream(), 'none', [event()]), LogUnavailable);
  await rejection(log.readStream(newStream()), LogUnavailable);
  await server.restart();
  const { stream, expected, events } = creation();
  await log.append(stream, expected, events);
  assert.is((await log.readStream(stream)).length, 1);
});

test('given the records of others, then none of them is seen', async () => {
  const { log } = engine;
  const foreign = { ...foreignRecord(), id: randomId() };
  server.log.append('$stats-0.0.0.0:2113', null, [foreign]);
  server.log.append('somebody-else', null, [{ ...foreign, id: randomId() }]);
  server.log.append('holdfast.token-binary', null, [
    { ...foreign, id: randomId(), contentType: 'application/octet-stream' },
  ]);
  await log.logId();
  const { stream, expected, events } = creation();
  await log.append(stream, expected, events);
  const seen = await eventsUntil(log, null, (all) => all.length > 0);
  assert.equal(
    seen.map((one) => one.stream),
    [stream],
  );
  assert.equal((await log.readAll(null, 100)).events, seen);
});

test('given records of others after the last event, then a subscription passes them by itself', async () => {
  const { log } = engine;
  await log.append(newStream(), 'none', [event()]);
  server.log.append('somebody-else', null, [foreignRecord()]);
  const head = await log.head();
  for await (const { scanned } of log.subscribe(null, undefined, AbortSignal.timeout(10_000))) {
    if (scanned === head) return;
  }
  assert.unreachable('the subscription never got past them');
});

test('given a server that is away for a while, then a subscription goes on when it is back', async () => {
  const { log } = engine;
  const appends = [creation(), creation()];
  const [first, second] = appends;
  if (first === undefined || second === undefined) throw new Error('there are two appends');
  const bringingBack: Promise<unknown>[] = [];
  const reading = eventsUntil(log, null, (all) => {
    if (all.length === 1 && bringingBack.length === 0) {
      server.stop();
      bringingBack.push(
        rejection(log.readStream(second.stream), LogUnavailable)
          .then(() => server.restart())
          .then(() => appendUntilKnown(log, second)),
      );
    }
    return all.length >= appends.length;
  });
  await appendUntilKnown(log, first);
  const seen = await reading;
  await Promise.all(bringingBack);
  assert.equal(
    seen.map(({ stream }) => stream),
    appends.map(({ stream }) => stream),
  );
});

test('given a subscription that went silent, then it is opened again', async () => {
  const { log } = engine;
  server.silenceSubscriptions(true);
  const next = creation();
  const reading = eventsUntil(log, null, (all) => all.length > 0);
  await log.append(next.stream, next.expected, next.events);
  server.silenceSubscriptions(false);
  const seen = await reading;
  assert.equal(
    seen.map(({ stream }) => stream),
    [next.stream],
  );
});

test('given TLS without credentials, then the connection string is refused', () => {
  assert.throws(
    () => createEventStoreDbEventLog({ connectionString: 'esdb://localhost:2113', streamPrefix: '' }),
    (error: unknown) => error instanceof SettingError,
  );
});

function foreignRecord() {
  return {
    id: randomId(),
    type: 'stats',
    contentType: 'application/json',
    data: Buffer.from('{}'),
    metadata: Buffer.from(''),
  };
}

test.run();
