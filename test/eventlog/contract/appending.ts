import * as assert from 'uvu/assert';
import type { Contract } from '#test/eventlog/contract/engine.ts';
import { appendUntilKnown, creation, event, newStream, rejection } from '#test/eventlog/helpers.ts';
import { WrongExpectedRevision } from '#ports/eventLog.ts';

export function describeAppending({ holds }: Contract): void {
  holds('given a stream, when it is created again, then it conflicts', async ({ log }) => {
    const stream = newStream();
    await log.append(stream, 'none', [event(), event()]);
    const conflict = await rejection(log.append(stream, 'none', [event()]), WrongExpectedRevision);
    assert.is(conflict.stream, stream);
    assert.is(conflict.expected, 'none');
    assert.is(conflict.actual, 1n);
  });

  holds('given many creations of one stream at once, then exactly one succeeds', async ({ log, open }) => {
    const stream = newStream();
    const logs = [log, open(), log, open()];
    const attempts = logs
      .flatMap((one) => [one, one, one])
      .map((one) => one.append(stream, 'none', [event()]));
    const outcomes = await Promise.allSettled(attempts);
    assert.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.is((await log.readStream(stream)).length, 1);
  });

  holds('given a wrong revision, then the error has the actual one', async ({ log }) => {
    const stream = newStream();
    const missing = await rejection(log.append(stream, 4n, [event()]), WrongExpectedRevision);
    assert.is(missing.actual, 'none');
    await log.append(stream, 'none', [event(), event(), event()]);
    const behind = await rejection(log.append(stream, 0n, [event()]), WrongExpectedRevision);
    assert.is(behind.actual, 2n);
    const ahead = await rejection(log.append(stream, 3n, [event()]), WrongExpectedRevision);
    assert.is(ahead.actual, 2n);
    assert.is((await log.readStream(stream)).length, 3);
  });

  holds('given the right revision, then the result has the new one and its position', async ({ log }) => {
    const stream = newStream();
    const first = await log.append(stream, 'none', [event(), event()]);
    assert.is(first.revision, 1n);
    const second = await log.append(stream, 1n, [event()]);
    assert.is(second.revision, 2n);
    assert.ok(log.comparePositions(first.position, second.position) < 0);
    const events = await log.readStream(stream);
    assert.equal([events[1]?.position, events[2]?.position], [first.position, second.position]);
  });

  holds('given a repetition, then it answers the first result, also much later', async ({ log, open }) => {
    const stream = newStream();
    const events = [event(), event(), event()];
    const first = await log.append(stream, 'none', events);
    assert.equal(await log.append(stream, 'none', events), first);
    const change = [event('token.updated')];
    const second = await log.append(stream, 2n, change);
    await log.append(stream, 3n, [event(), event()]);
    assert.equal(await open().append(stream, 'none', events), first);
    assert.equal(await open().append(stream, 2n, change), second);
    assert.is((await log.readStream(stream)).length, 6);
  });

  holds('given the same append twice at once, then both get one result', async ({ log }) => {
    const { stream, expected, events } = creation();
    // A server may leave one of them without an answer: then the same again tells it.
    const same = { stream, expected, events };
    const [one, other] = await Promise.all([appendUntilKnown(log, same), appendUntilKnown(log, same)]);
    assert.equal(one, other);
    assert.is((await log.readStream(stream)).length, 1);
  });

  holds('given a repetition of a part, or with other events after it, then it conflicts', async ({ log }) => {
    const stream = newStream();
    const events = [event(), event()];
    await log.append(stream, 'none', events);
    const [first] = events;
    if (first === undefined) throw new Error('there are two events');
    const longer = log.append(stream, 'none', [...events, event()]);
    assert.is((await rejection(longer, WrongExpectedRevision)).actual, 1n);
    const other = log.append(stream, 'none', [first, event()]);
    assert.is((await rejection(other, WrongExpectedRevision)).actual, 1n);
    const elsewhere = log.append(newStream(), 0n, events);
    assert.is((await rejection(elsewhere, WrongExpectedRevision)).actual, 'none');
  });

  holds('given several streams, then each member has its verdict', async ({ log }) => {
    const appends = [creation(), creation(), creation()];
    const verdicts = await log.appendAll(appends);
    assert.equal(
      verdicts.map((verdict) => verdict.outcome),
      ['appended', 'appended', 'appended'],
    );
    assert.equal(await log.appendAll(appends), verdicts, 'a repetition answers the first verdicts');
    assert.equal(await log.appendAll([]), []);
  });

  holds(
    'given a conflict among several streams, then it is told, and of each other what became of it',
    async ({ log }) => {
      const taken = creation();
      await log.appendAll([taken]);
      const [before, after] = [creation(), creation()];
      const verdicts = await log.appendAll([before, creation(taken.stream), after]);
      const conflict = verdicts[1];
      assert.equal(conflict, { outcome: 'conflict', stream: taken.stream, expected: 'none', actual: 0n });
      assert.is((await log.readStream(before.stream)).length, verdicts[0]?.outcome === 'appended' ? 1 : 0);
      assert.is((await log.readStream(after.stream)).length, verdicts[2]?.outcome === 'appended' ? 1 : 0);
      if (!log.atomicAcrossStreams) return;
      assert.equal([verdicts[0]?.outcome, verdicts[2]?.outcome], ['not_attempted', 'not_attempted']);
    },
  );

  holds('given no events, or a stream twice in one list, then it is refused', async ({ log }) => {
    await rejection(log.append(newStream(), 'none', []), RangeError);
    const stream = newStream();
    await rejection(log.appendAll([creation(stream), creation(stream)]), RangeError);
    assert.equal(await log.readStream(stream), []);
  });
}
