import { setTimeout as sleep } from 'node:timers/promises';
import type { AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { randomId } from '#src/identifiers.ts';
import { append, openStreams, readStream, subscribe } from '#test/eventlog/recordings/wire.ts';
import type { Message, Streams, ToAppend, WireFailure } from '#test/eventlog/recordings/wire.ts';
import type { EventStoreDbServer } from '#test/support/eventstoredb-server.ts';
import type { Place } from '#test/support/eventstoredb/messages.ts';
import { until } from '#test/support/until.ts';

type RecordedEvent = string | { id: string; data_bytes: number; metadata?: string };
type Step = {
  expected: number | string;
  events?: RecordedEvent[];
  first_id_again?: boolean;
  answer: unknown;
};
type Case = { start: string; messages_with_one_new_record_after: string[] };
export type Scenario = {
  kind: string;
  name: string;
  steps?: Step[];
  then_revisions?: string[];
  read?: string;
  answers?: Record<string, number>;
  messages?: string[];
  window?: number;
  interval?: number;
  start?: string;
  cases?: Case[];
};

const highest = 2n ** 64n - 1n;
const search = { window: 32, interval: 8 };
/** Nothing more comes when nothing came for so many milliseconds. */
const silence = 250;
const pairs = 3;

/** Does what was done when the scenario was recorded, and says what was answered in the recording's words. */
export async function play(server: EventStoreDbServer, scenario: Scenario): Promise<Partial<Scenario>> {
  const streams = openStreams(server.port);
  try {
    return await playOn(server, streams, scenario);
  } finally {
    streams.close();
  }
}

function playOn(
  server: EventStoreDbServer,
  streams: Streams,
  scenario: Scenario,
): Promise<Partial<Scenario>> {
  const stream = `recorded-${randomId()}`;
  switch (scenario.kind) {
    case 'appends':
      return playSteps(streams, stream, scenario.steps ?? []);
    case 'soft delete':
      return playSoftDelete(server, streams, stream, scenario.steps ?? []);
    case 'tombstone':
      return playTombstone(server, streams, stream, scenario.steps ?? []);
    case 'identical appends at once':
      return playIdentical(streams, Number(/second (\d+) ms/.exec(scenario.name)?.[1]));
    case 'different appends at once':
      return playDifferent(streams);
    case 'catch-up':
      return playCatchUp(server, streams, scenario.name);
    case 'live':
      return playLive(server, streams, scenario.name);
    case 'start positions':
      return playStartPositions(server, streams, scenario.cases ?? []);
    default:
      throw new Error(`no such kind of scenario: ${scenario.kind}`);
  }
}

async function playSteps(
  streams: Streams,
  stream: string,
  steps: readonly Step[],
  ids = new Map<string, string>(),
): Promise<Partial<Scenario>> {
  const played: Step[] = [];
  for (const step of steps) {
    const events = (step.events ?? []).map((event) => toAppend(event, ids));
    const answer = await append(streams, stream, expectedOf(step.expected), events);
    played.push({ ...step, answer: await describeAnswer(streams, stream, answer) });
  }
  return { steps: played };
}

async function playSoftDelete(
  server: EventStoreDbServer,
  streams: Streams,
  stream: string,
  steps: readonly Step[],
): Promise<Partial<Scenario>> {
  const first = randomId();
  await append(streams, stream, 'none', [{ id: first }, { id: randomId() }, { id: randomId() }]);
  server.log.delete(stream);
  const played = await playAgain(streams, stream, steps, first);
  const left = await readStream(streams, stream);
  if (!Array.isArray(left)) throw new Error(left.details);
  const revisions = left.flatMap((answer) => answer.getEvent()?.getEvent()?.getStreamRevision() ?? []);
  return { steps: played, then_revisions: revisions.map(String) };
}

async function playTombstone(
  server: EventStoreDbServer,
  streams: Streams,
  stream: string,
  steps: readonly Step[],
): Promise<Partial<Scenario>> {
  const first = randomId();
  await append(streams, stream, 'none', [{ id: first }]);
  server.log.bury(stream);
  const played = await playAgain(streams, stream, steps, first);
  const read = await readStream(streams, stream);
  return { steps: played, read: Array.isArray(read) ? 'events' : (read.exception ?? read.details) };
}

async function playAgain(
  streams: Streams,
  stream: string,
  steps: readonly Step[],
  first: string,
): Promise<Step[]> {
  const played: Step[] = [];
  for (const step of steps) {
    const id = step.first_id_again === true ? first : randomId();
    const answer = await append(streams, stream, expectedOf(step.expected), [{ id }]);
    played.push({ ...step, answer: await describeAnswer(streams, stream, answer) });
  }
  return played;
}

/** Which answers there are; how often each comes, and after how long, varies on every server. */
async function playIdentical(streams: Streams, apart: number): Promise<Partial<Scenario>> {
  const answers = await Promise.all(
    Array.from({ length: pairs }, async () => {
      const [stream, id] = [`recorded-${randomId()}`, randomId()];
      const first = append(streams, stream, 'none', [{ id }]);
      if (apart > 0) await sleep(apart);
      const second = append(streams, stream, 'none', [{ id }]);
      return `${outcomeOf(await first)} | ${outcomeOf(await second)}`;
    }),
  );
  return { answers: counted(answers) };
}

async function playDifferent(streams: Streams): Promise<Partial<Scenario>> {
  const answers = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const stream = `recorded-${randomId()}`;
      const both = await Promise.all(
        [randomId(), randomId()].map((id) => append(streams, stream, 'none', [{ id }])),
      );
      return both.map(briefly).toSorted().join(' | ');
    }),
  );
  return { answers: counted(answers) };
}

async function playCatchUp(
  server: EventStoreDbServer,
  streams: Streams,
  name: string,
): Promise<Partial<Scenario>> {
  const prefix = `recorded_${randomId()}-`;
  if (name.startsWith('a new server')) {
    const subscription = subscribe(streams, prefix, undefined, search);
    return { messages: told(await settled(subscription), server, 0) };
  }
  const [, count = '0', matching = ''] = /^(\d+) records .*matching: (\w+)/.exec(name) ?? [];
  await append(streams, `other-${randomId()}`, 'none', [{ id: randomId() }]);
  const start = server.log.records.length - 1;
  await appendMatching(streams, prefix, Number(count), matching);
  const position = server.log.records[start]?.position ?? 0n;
  const subscription = subscribe(streams, prefix, { commit: position, prepare: position }, search);
  return { messages: told(await settled(subscription), server, start) };
}

async function playLive(
  server: EventStoreDbServer,
  streams: Streams,
  name: string,
): Promise<Partial<Scenario>> {
  const prefix = `recorded_${randomId()}-`;
  const [, count, size, matching] = /^(\d+) records .* in appends of (\d+), matching: (\w+)/.exec(name) ?? [];
  await append(streams, `other-${randomId()}`, 'none', [{ id: randomId() }]);
  const start = server.log.records.length - 1;
  const position = server.log.records[start]?.position ?? 0n;
  const subscription = subscribe(streams, prefix, { commit: position, prepare: position }, search);
  await until(() => subscription.messages.some(({ kind }) => kind === 'caughtUp'));
  for (let done = 0; done < Number(count); done += Number(size)) {
    await appendMatching(streams, prefix, Number(size), matching ?? '');
  }
  return { messages: told(await settled(subscription), server, start) };
}

async function playStartPositions(
  server: EventStoreDbServer,
  streams: Streams,
  cases: readonly Case[],
): Promise<Partial<Scenario>> {
  const played: Case[] = [];
  for (const { start } of cases) {
    const prefix = `recorded_${randomId()}-`;
    await appendMatching(streams, prefix, 2, 'all');
    const [before, last] = server.log.records.slice(-2).map(({ position }) => position);
    if (before === undefined || last === undefined) throw new Error('there are two records');
    const subscription = subscribe(streams, prefix, startCalled(start, before, last), search);
    await until(() => subscription.messages.some(({ kind }) => kind === 'caughtUp' || kind === 'error'));
    await append(streams, `${prefix}new`, 'none', [{ id: randomId() }]);
    const messages = (await settled(subscription)).map(({ kind, text }) =>
      kind === 'error' ? `error: ${text}` : kind,
    );
    played.push({ start, messages_with_one_new_record_after: messages });
  }
  return { cases: played };
}

function startCalled(start: string, before: bigint, last: bigint): Place {
  switch (start) {
    case 'inside a record':
      return { commit: last + 1n, prepare: last + 1n };
    case 'a record with prepare 0':
      return { commit: before, prepare: 0n };
    case 'prepare after commit':
      return { commit: last, prepare: last + 1n };
    case '10^12, far beyond the end':
      return { commit: 10n ** 12n, prepare: 10n ** 12n };
    default:
      return { commit: highest, prepare: highest };
  }
}

async function appendMatching(
  streams: Streams,
  prefix: string,
  count: number,
  matching: string,
): Promise<void> {
  const mine = (index: number) =>
    matching === 'all' ||
    (matching === 'half' && index % 2 === 0) ||
    (matching === 'last' && index === count - 1);
  if (matching === 'all' || matching === 'none') {
    const events = Array.from({ length: count }, () => ({ id: randomId() }));
    if (count > 0) await append(streams, `${mine(0) ? prefix : 'other-'}${randomId()}`, 'none', events);
    return;
  }
  for (let index = 0; index < count; index += 1) {
    await append(streams, `${mine(index) ? prefix : 'other-'}${randomId()}`, 'none', [{ id: randomId() }]);
  }
}

async function settled(subscription: { messages: Message[]; close(): void }): Promise<Message[]> {
  const { messages } = subscription;
  await until(() => messages.some(({ kind }) => kind === 'caughtUp' || kind === 'error'));
  for (let seen = -1; seen !== messages.length;) {
    seen = messages.length;
    await sleep(silence);
  }
  const result = [...messages];
  subscription.close();
  return result;
}

/** In the recording's words: events in a row are counted, places named by the records of the scenario. */
function told(messages: readonly Message[], server: EventStoreDbServer, start: number): string[] {
  const lines: string[] = [];
  let events = 0;
  const flush = () => {
    if (events > 0) lines.push(events === 1 ? '1 event' : `${events} events`);
    events = 0;
  };
  for (const { kind, place, text } of messages) {
    if (kind === 'event') {
      events += 1;
      continue;
    }
    flush();
    if (place !== undefined) lines.push(`checkpoint: ${placeCalled(place, server, start)}`);
    else lines.push(text === undefined ? kind : `${kind}: ${text}`);
  }
  flush();
  return lines;
}

function placeCalled({ commit, prepare }: Place, { log }: EventStoreDbServer, start: number): string {
  if (commit === highest) return '2^64-1/2^64-1';
  const without = prepare === 0n && commit > 0n ? ' with prepare 0' : '';
  const index = log.records.findIndex(({ position }) => position === commit);
  if (index > 0 || (index === 0 && log.records.length > 1)) return `record ${index - start}${without}`;
  if (commit === log.end && commit > 0n) return `end of the last record${without}`;
  return `${commit}/${prepare}`;
}

async function describeAnswer(
  streams: Streams,
  stream: string,
  answer: AppendResp | WireFailure,
): Promise<unknown> {
  if ('code' in answer) return { ...answer, details: answer.details.replace(stream, '<stream>') };
  const wrong = answer.getWrongExpectedVersion();
  if (wrong !== undefined) {
    return {
      wrong_expected_version: {
        current: wrong.hasCurrentNoStream() ? 'CurrentNoStream' : wrong.getCurrentRevision(),
        expected: wrong.hasExpectedNoStream() ? 'ExpectedNoStream' : wrong.getExpectedRevision(),
      },
    };
  }
  const success = answer.getSuccess();
  const position = success?.getPosition();
  return {
    success: true,
    current_revision: success?.hasNoStream() === true ? 'nostream' : success?.getCurrentRevision(),
    ...(position === undefined
      ? { position: 'none' }
      : {
          position: await revisionAt(streams, stream, position.getCommitPosition()),
          commit_equals_prepare: position.getCommitPosition() === position.getPreparePosition(),
        }),
  };
}

async function revisionAt(streams: Streams, stream: string, commit: string): Promise<string> {
  const answers = await readStream(streams, stream);
  if (!Array.isArray(answers)) throw new Error(answers.details);
  const found = answers
    .map((answer) => answer.getEvent()?.getEvent())
    .find((event) => event?.getCommitPosition() === commit);
  return found === undefined ? 'of no record' : `of revision ${found.getStreamRevision()}`;
}

function outcomeOf(answer: AppendResp | WireFailure): string {
  if ('code' in answer) return `code ${answer.code} ${answer.details}`;
  const success = answer.getSuccess();
  if (success === undefined) return 'wrong';
  return `success at ${success.getCurrentRevision()}, position ${success.hasPosition() ? 'given' : 'missing'}`;
}

function briefly(answer: AppendResp | WireFailure): string {
  if ('code' in answer) return `code ${answer.code}`;
  const wrong = answer.getWrongExpectedVersion();
  return wrong === undefined ? 'success' : `wrong, current ${wrong.getCurrentRevision()}`;
}

function counted(answers: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}

function expectedOf(expected: number | string): 'none' | 'any' | bigint {
  return expected === 'none' || expected === 'any' ? expected : BigInt(expected);
}

function toAppend(event: RecordedEvent, ids: Map<string, string>): ToAppend {
  const letter = typeof event === 'string' ? event : event.id;
  const id = ids.get(letter) ?? randomId();
  ids.set(letter, id);
  if (typeof event === 'string') return { id };
  return { id, data: jsonOf(event.data_bytes), metadata: metadataOf(event.metadata) };
}

function jsonOf(bytes: number): Uint8Array {
  return Buffer.from(`"${'d'.repeat(bytes - 2)}"`);
}

/** The recording keeps the beginning of long metadata. */
function metadataOf(beginning: string | undefined): string {
  return beginning === undefined ? '' : `${beginning}${'m'.repeat(1_000)}"`;
}
