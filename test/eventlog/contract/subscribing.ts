import * as assert from 'uvu/assert';
import type { EventLog } from '#ports/eventLog.ts';
import { WrongExpectedRevision } from '#ports/eventLog.ts';
import { randomId } from '#src/identifiers.ts';
import type { Contract } from '#test/eventlog/contract/engine.ts';
import {
  assertComplete,
  creation,
  event,
  eventsUntil,
  newStream,
  pagesUntil,
  revisionAfter,
} from '#test/eventlog/helpers.ts';

const writers = 12;
const appendsOfWriter = 40;

export function describeSubscribing({ holds }: Contract): void {
  holds('given the head, then a subscription begins by saying that it is there', async ({ log }) => {
    await log.append(newStream(), 'none', [event()]);
    const pages = await pagesUntil(log, await log.head(), undefined, (all) => all.at(-1)?.atHead === true);
    assert.equal(
      pages.flatMap((page) => page.events),
      [],
    );
  });

  holds(
    'given a subscription at the head, when something is appended, then it comes soon',
    async ({ log }) => {
      const next = creation();
      let appendedAt = 0;
      await pagesUntil(log, await log.head(), undefined, (pages) => {
        const page = pages.at(-1);
        if (page?.events.some(({ stream }) => stream === next.stream) === true) return true;
        if (page?.atHead === true && appendedAt === 0) {
          appendedAt = performance.now();
          void log.append(next.stream, next.expected, next.events);
        }
        return false;
      });
      assert.ok(performance.now() - appendedAt < 1_000);
    },
  );

  holds('given types, then a subscription tells that it passed the others', async ({ log }) => {
    const before = await log.head();
    const { position } = await log.append(newStream(), 'none', [event(), event()]);
    const pages = await pagesUntil(log, before, [`token.unheard_${randomId()}`], (all) => {
      const scanned = all.at(-1)?.scanned;
      return typeof scanned === 'string' && log.comparePositions(scanned, position) >= 0;
    });
    assert.equal(
      pages.flatMap((page) => page.events),
      [],
    );
  });

  holds('given an abort, then a subscription ends, also while it waits', async ({ log }) => {
    const abort = new AbortController();
    const head = await log.head();
    let pages = 0;
    for await (const page of log.subscribe(head, undefined, abort.signal)) {
      pages += 1;
      if (page.atHead) {
        setImmediate(() => {
          abort.abort();
        });
      }
    }
    assert.ok(pages > 0);
    const ended = log.subscribe(head, undefined, abort.signal)[Symbol.asyncIterator]();
    assert.is((await ended.next()).done, true);
  });

  holds(
    'given 12 writers, then a reader who follows them loses and doubles nothing',
    async ({ log, open }) => {
      const before = await log.head();
      const shared = [newStream(), newStream()];
      const logs = [log, open(), open()];
      const reading = eventsUntil(log, before, (events) => events.length >= writers * appendsOfWriter);
      const written = await Promise.all(
        Array.from({ length: writers }, (_, n) => writeMany(logs[n % logs.length] ?? log, shared)),
      );
      assertComplete(log, await reading, new Set(written.flat()));
      const late = await eventsUntil(log, before, (events) => events.length >= writers * appendsOfWriter);
      assertComplete(log, late, new Set(written.flat()));
    },
  );
}

/** Half to a stream of its own, half to streams that all writers fight over. */
async function writeMany(log: EventLog, shared: readonly string[]): Promise<string[]> {
  const written: string[] = [];
  const heads = new Map<string, bigint | 'none'>();
  const own = newStream();
  while (written.length < appendsOfWriter) {
    const stream = written.length % 2 === 0 ? own : (shared[(written.length >> 1) % shared.length] ?? own);
    const expected = heads.get(stream) ?? 'none';
    const next = event();
    try {
      await log.append(stream, expected, [next]);
      heads.set(stream, revisionAfter(expected));
      written.push(next.id);
    } catch (error) {
      if (!(error instanceof WrongExpectedRevision)) throw error;
      heads.set(stream, error.actual);
    }
  }
  return written;
}
