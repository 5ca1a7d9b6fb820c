import type { EventLog, ExpectedRevision } from '#ports/eventLog.ts';
import type { Contract, Engine } from '#test/eventlog/contract/engine.ts';
import {
  appendUntilKnown,
  assertComplete,
  event,
  eventsUntil,
  newStream,
  revisionAfter,
} from '#test/eventlog/helpers.ts';

const writers = 8;
const interruptions = 3;
const writtenBetween = 40;

export function describeInterruptions({ holds }: Contract): void {
  holds(
    'given connections cut off in the middle of batches, then repeated appends are made once and a reader misses nothing',
    async (engine) => {
      const { log, open, interrupt } = engine;
      if (interrupt === undefined) return;
      const before = await log.head();
      const last = event();
      const written = new Set<string>();
      const stop = new AbortController();
      const writing = Array.from({ length: writers }, () => writeUntil(log, stop.signal, written));
      const reading = eventsUntil(open(), before, (events) => events.some(({ id }) => id === last.id));
      await interruptRepeatedly(engine, written);
      stop.abort();
      await Promise.all(writing);
      await appendUntilKnown(log, { stream: newStream(), expected: 'none', events: [last] });
      assertComplete(log, await reading, written.add(last.id));
    },
  );
}

async function interruptRepeatedly({ interrupt }: Engine, written: ReadonlySet<string>): Promise<void> {
  for (let n = 0; n < interruptions; n += 1) {
    await moreWritten(written);
    await interrupt?.();
  }
  await moreWritten(written);
}

async function moreWritten(written: ReadonlySet<string>): Promise<void> {
  const target = written.size + writtenBetween;
  while (written.size < target) await new Promise(setImmediate);
}

async function writeUntil(log: EventLog, stop: AbortSignal, written: Set<string>): Promise<void> {
  const stream = newStream();
  let expected: ExpectedRevision = 'none';
  while (!stop.aborted) {
    const next = event();
    await appendUntilKnown(log, { stream, expected, events: [next] });
    written.add(next.id);
    expected = revisionAfter(expected);
  }
}
