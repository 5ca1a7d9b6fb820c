import * as assert from 'uvu/assert';
import type {
  Append,
  Appended,
  EventLog,
  EventToAppend,
  ExpectedRevision,
  LogPage,
  Position,
} from '#ports/eventLog.ts';
import { LogUnavailable, UnknownOutcome } from '#ports/eventLog.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { JsonObject } from '#ports/json.ts';
import { randomId } from '#src/identifiers.ts';

const patience = 20_000;

export function event(type = 'token.created', data: JsonObject = {}): EventToAppend {
  return {
    id: randomId(),
    type,
    data,
    metadata: {
      tenant_id: randomId(),
      actor: { type: 'application', id: randomId() },
      trace_id: randomId(),
      command_id: randomId(),
      schema_version: 1,
      occurred_at: new Date().toISOString(),
    },
  };
}

export function newStream(category = 'token'): string {
  return `${category}-${randomId()}.${randomId()}`;
}

export function creation(stream = newStream()): Append {
  return { stream, expected: 'none', events: [event()] };
}

export function revisionAfter(expected: ExpectedRevision): bigint {
  return expected === 'none' ? 0n : expected + 1n;
}

/** What a caller does who must know: the same append again for as long as its outcome is not known. */
export async function appendUntilKnown(
  log: EventLog,
  { stream, expected, events }: Append,
): Promise<Appended> {
  const deadline = Date.now() + patience;
  for (;;) {
    try {
      return await log.append(stream, expected, events);
    } catch (error) {
      const retried = error instanceof UnknownOutcome || error instanceof LogUnavailable;
      if (!retried || Date.now() > deadline) throw error;
    }
  }
}

/** Subscribes until `enough` says so; fails after 20 s. */
export async function pagesUntil(
  log: EventLog,
  after: Position | null,
  types: readonly string[] | undefined,
  enough: (pages: LogPage[]) => boolean,
): Promise<LogPage[]> {
  const pages: LogPage[] = [];
  for await (const page of log.subscribe(after, types, AbortSignal.timeout(patience))) {
    pages.push(page);
    if (enough(pages)) return pages;
  }
  throw new Error(`the subscription did not bring what was waited for in ${patience} ms`);
}

export async function eventsUntil(
  log: EventLog,
  after: Position | null,
  enough: (events: RecordedEvent[]) => boolean,
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  await pagesUntil(log, after, undefined, (pages) => {
    events.push(...(pages.at(-1)?.events ?? []));
    return enough(events);
  });
  return events;
}

/** The promise must reject with an error of this class. */
export async function rejection<Failure extends Error>(
  promise: Promise<unknown>,
  kind: abstract new (...parameters: never[]) => Failure,
): Promise<Failure> {
  try {
    await promise;
  } catch (error) {
    assert.instance(error, kind);
    if (error instanceof kind) return error;
  }
  throw new Error('it was expected to fail');
}

/** Each event once, positions growing, and the revisions of each stream without a gap. */
export function assertComplete(
  log: EventLog,
  events: readonly RecordedEvent[],
  written: ReadonlySet<string>,
): void {
  const ids = events.map(({ id }) => id);
  assert.is(new Set(ids).size, ids.length, 'no event came twice');
  assert.equal(new Set(ids), written, 'every event came');
  const next = new Map<string, bigint>();
  events.forEach((current, index) => {
    const expected = next.get(current.stream) ?? 0n;
    assert.is(current.revision, expected, 'a stream came in its order');
    next.set(current.stream, expected + 1n);
    const previous = events[index - 1];
    if (previous === undefined) return;
    assert.ok(log.comparePositions(previous.position, current.position) < 0, 'positions grow');
    assert.ok(previous.ordinal <= current.ordinal, 'ordinals do not shrink');
  });
}
