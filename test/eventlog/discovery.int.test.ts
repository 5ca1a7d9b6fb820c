import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEventStoreDbEventLog } from '#infra/eventlog/eventstoredb/eventLog.ts';
import { LogUnavailable } from '#ports/eventLog.ts';
import type { EventLog } from '#ports/eventLog.ts';
import { appendUntilKnown, creation, event, newStream, rejection } from '#test/eventlog/helpers.ts';
import { EventStoreDbServer } from '#test/support/eventstoredb-server.ts';
import { FreezingProxy } from '#test/support/eventstoredb/freezingProxy.ts';
import { failures } from '#test/support/eventstoredb/failures.ts';
import { until } from '#test/support/until.ts';
import { seededRandom } from '#src/seededRandom.ts';

const test = suite('event log on EventStoreDB: discovery');
const unhandled: unknown[] = [];
const note = (reason: unknown) => {
  unhandled.push(reason);
};
let servers: EventStoreDbServer[] = [];
const logs: EventLog[] = [];

test.before(() => {
  process.on('unhandledRejection', note);
});
test.after(() => {
  process.off('unhandledRejection', note);
});
test.before.each(async () => {
  unhandled.length = 0;
  servers = await Promise.all([1, 2, 3].map(() => EventStoreDbServer.start()));
});
test.after.each(async () => {
  await Promise.all(logs.splice(0).map((log) => log.close()));
  for (const server of servers) server.stop();
});

function hosts(): string {
  return servers.map(({ port }) => `127.0.0.1:${port}`).join(',');
}

function openLog(more = ''): EventLog {
  const log = createEventStoreDbEventLog({
    connectionString: `esdb://${hosts()}?tls=false&maxDiscoverAttempts=3${more}`,
    streamPrefix: '',
  });
  logs.push(log);
  return log;
}

/** One node leads, and the others say so. */
function elect(leader: number): void {
  const members = servers.map(({ port }, index) => ({
    port,
    state: index === leader ? ('leader' as const) : ('follower' as const),
    alive: true,
  }));
  for (const { gossip } of servers) Object.assign(gossip, { members, failure: undefined });
}

function silenceGossip(failure: (typeof failures)['notReady'] | 'hangs'): void {
  for (const { gossip } of servers) gossip.failure = failure;
}

/**
 * One call fails, the next has to discover a node and finds none, and meanwhile another call on the old channel fails.
 * That one makes the client wait for the discovery, in a promise that is nobody's.
 */
async function failWhileDiscovering(read: (stream: string) => Promise<unknown>): Promise<void> {
  const [leader] = servers;
  if (leader === undefined) throw new Error('there are three servers');
  await read(newStream());
  leader.hang();
  const waiting = [read(newStream()), read(newStream())];
  await until(() => leader.calls.read >= 3);
  silenceGossip(failures.notReady);
  leader.failNextRead(failures.notReady);
  leader.answerOne();
  await Promise.race(waiting.map((one) => one.catch(() => undefined)));
  const discovering = read(newStream());
  leader.stop();
  await Promise.allSettled([...waiting, discovering]);
  await sleep(1_000);
}

test('given calls that fail one after the other while nobody is discovered, then no promise is left alone', async () => {
  elect(0);
  const log = openLog();
  await failWhileDiscovering((stream) => log.readStream(stream));
  assert.equal(unhandled, []);
  await servers[0]?.restart();
  servers[0]?.goOn();
  elect(0);
  const { stream, events } = creation();
  assert.is((await appendUntilKnown(log, { stream, expected: 'none', events })).revision, 0n);
});

test('given any schedule of failing calls, gossip and discovery, then no promise is left alone', async () => {
  const random = seededRandom('schedules of failing calls');
  elect(0);
  const log = openLog();
  await log.readStream(newStream());
  for (let round = 0; round < 12; round += 1) {
    const calls: Promise<unknown>[] = [];
    for (let step = 0; step < 6; step += 1) {
      const what = random(5);
      const server = servers[random(servers.length)];
      if (what === 0) silenceGossip(failures.notReady);
      if (what === 1) elect(random(servers.length));
      if (what === 2) server?.failNextRead(failures.dropped);
      if (what === 3) await server?.restart();
      // They may fail before all of them are awaited.
      calls.push(
        ...[log.readStream(newStream()), log.append(newStream(), 'none', [event()])].map((call) =>
          call.catch(() => undefined),
        ),
      );
      await sleep(random(150));
    }
    await Promise.allSettled(calls);
  }
  await sleep(500);
  assert.equal(unhandled, []);
});

test('given the client as it is, then it leaves one alone: the mend is still needed', async () => {
  elect(0);
  const client = EventStoreDBClient.connectionString(`esdb://${hosts()}?tls=false&maxDiscoverAttempts=2`);
  await failWhileDiscovering((stream) => Array.fromAsync(client.readStream(stream)).catch(() => undefined));
  await client.dispose();
  assert.match(String(unhandled[0]), 'Failed to discover');
});

test('given seeds that hang, then a call is given up in the time of one try', async () => {
  elect(0);
  silenceGossip('hangs');
  const log = openLog();
  const begun = performance.now();
  await rejection(log.append(newStream(), 'none', [event()]), LogUnavailable);
  await rejection(log.readStream(newStream()), LogUnavailable);
  assert.ok(performance.now() - begun < 16_000);
});

test('given a leader that hangs and another that is elected, then writes go on', async () => {
  const [old, next] = servers;
  if (old === undefined || next === undefined) throw new Error('there are three servers');
  const proxy = await FreezingProxy.start(old.port);
  old.gossip.members = [{ port: proxy.port, state: 'leader', alive: true }];
  const log = createEventStoreDbEventLog({
    connectionString: `esdb://127.0.0.1:${proxy.port},127.0.0.1:${next.port}?tls=false`,
    streamPrefix: '',
  });
  logs.push(log);
  next.gossip.members = old.gossip.members;
  await log.append(newStream(), 'none', [event()]);
  assert.is(old.calls.append, 1);
  proxy.freeze();
  next.gossip.members = [
    { port: proxy.port, state: 'leader', alive: false },
    { port: next.port, state: 'leader', alive: true },
  ];
  const begun = performance.now();
  const { stream, events } = creation();
  const appended = await appendUntilKnown(log, { stream, expected: 'none', events });
  assert.is(appended.revision, 0n);
  assert.is(next.log.stream(stream).length, 1);
  assert.ok(performance.now() - begun < 16_000, 'keepalive notices in 5 s, and a busy machine takes longer');
  proxy.close();
});

test.run();
