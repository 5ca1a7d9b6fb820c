import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { appendAllUntilKnown, appendUntilKnown } from '#commands/appendUntilKnown.ts';
import { createEventStoreDbEventLog } from '#infra/eventlog/eventstoredb/eventLog.ts';
import type { EventLog } from '#ports/eventLog.ts';
import { LogUnavailable } from '#ports/eventLog.ts';
import { Unavailable } from '#src/errors.ts';
import { creation, event, newStream, rejection } from '#test/eventlog/helpers.ts';
import { EventStoreDbServer } from '#test/support/eventstoredb-server.ts';
import { until } from '#test/support/until.ts';

const test = suite('how long a request waits for the event log');
let server: EventStoreDbServer;
let log: EventLog;

test.before.each(async () => {
  server = await EventStoreDbServer.start();
  log = createEventStoreDbEventLog({ connectionString: server.connectionString, streamPrefix: '' });
  await log.logId();
});
test.after.each(async () => {
  await log.close();
  server.stop();
});

test('given a server that stalls past the deadline of a try, then one more try tells what became of it', async () => {
  server.hang();
  const { stream, events } = creation();
  const before = server.calls.append;
  const appending = appendUntilKnown(log, stream, 'none', events);
  await until(() => server.calls.append === before + 2);
  server.goOn();
  assert.is((await appending).revision, 0n);
  assert.is((await log.readStream(stream)).length, 1);
});

test('given a server that does not come back, then the request ends in its time, and says so', async () => {
  server.hang();
  const begun = performance.now();
  await rejection(appendUntilKnown(log, newStream(), 'none', [event()]), Unavailable);
  assert.ok(performance.now() - begun < 20_000, 'ten seconds, and more on a busy machine');
});

test('given a server that is away for a moment, then an append of which nothing was sent is tried again', async () => {
  server.stop();
  const appending = appendAllUntilKnown(log, [creation(), creation()]);
  await server.restart();
  assert.equal(
    (await appending).map(({ outcome }) => outcome),
    ['appended', 'appended'],
  );
});

test('given a server that is away, then that is said soon, and that nothing was written', async () => {
  server.stop();
  await rejection(appendUntilKnown(log, newStream(), 'none', [event()]), LogUnavailable);
});

test.run();
