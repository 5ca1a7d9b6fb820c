import * as assert from 'uvu/assert';
import type { EventLog, Position, RecordedEvent } from '#ports/eventLog.ts';
import type { JsonObject } from '#ports/json.ts';
import { randomId } from '#src/identifiers.ts';
import type { Contract } from '#test/eventlog/contract/engine.ts';
import { creation, event, newStream } from '#test/eventlog/helpers.ts';

export function describeReading({ holds }: Contract): void {
  holds('given a stream, then it is read from any revision on', async ({ log }) => {
    const stream = newStream();
    const written = [event(), event('token.updated', { a: 1 }), event('token.deleted')];
    await log.append(stream, 'none', written);
    const events = await log.readStream(stream);
    assert.equal(
      events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
      written,
    );
    assert.equal(
      events.map(({ stream: name, revision }) => [name, revision]),
      [0n, 1n, 2n].map((revision) => [stream, revision]),
    );
    assert.equal(await log.readStream(stream, 2n), events.slice(2));
    assert.equal(await log.readStream(stream, 3n), []);
    assert.equal(await log.readStream(newStream()), []);
  });

  holds('given a stream, then its end is read, oldest first, without what was before', async ({ log }) => {
    const stream = newStream();
    await log.append(
      stream,
      'none',
      Array.from({ length: 7 }, () => event()),
    );
    const events = await log.readStream(stream);
    assert.equal(await log.readStreamEnd(stream, 3), events.slice(4));
    assert.equal(await log.readStreamEnd(stream, 7), events);
    assert.equal(await log.readStreamEnd(stream, 100), events);
    assert.equal(await log.readStreamEnd(newStream(), 3), []);
  });

  holds('given any JSON, then it comes back as it was', async ({ log }) => {
    const data: JsonObject = {
      words: 'Grüße, 你好, 🗝️ "quoted" \\ / \u2028 \t and\r\nlines',
      unusual: ['\u0000', '\ud800', '\udc00 lone', '', '\u007f'],
      numbers: [0, -1, 1.5, 1e21, Number.MAX_SAFE_INTEGER],
      nested: { null: null, true: true, list: [[], {}, [{}]] },
      ['key "with" \\ and \n']: 1,
      ['__proto__']: { kept: true },
      large: 'x'.repeat(200_000),
    };
    const stream = newStream();
    const { position } = await log.append(stream, 'none', [event('token.created', data)]);
    const [read] = await log.readStream(stream);
    assert.equal(read?.data, data);
    assert.equal(await eventAt(log, position), read);
  });

  holds('given pages of any size, then they bring every event once and in order', async ({ log }) => {
    const before = await log.head();
    for (let n = 0; n < 7; n += 1) await log.append(newStream(), 'none', [event(), event()]);
    const whole = await readToHead(log, before, 1_000);
    assert.is(whole.length, 14);
    assert.equal(await readToHead(log, before, 3), whole);
    assert.equal(await readToHead(log, before, 1), whole);
    assert.equal(await readToHead(log, before, 14), whole);
  });

  holds('given types, then only these come, and the page tells how far it looked', async ({ log }) => {
    const before = await log.head();
    const type = `token.wanted_${randomId()}`;
    await log.append(newStream(), 'none', [event(), event(type), event()]);
    const { position } = await log.append(newStream(), 'none', [event(), event(type), event()]);
    const wanted = await readToHead(log, before, 100, [type]);
    assert.equal(
      wanted.map((one) => one.type),
      [type, type],
    );
    assert.equal(await readToHead(log, before, 1, [type]), wanted);
    const none = await log.readAll(before, 100, [`token.unheard_${randomId()}`]);
    assert.equal(none.events, []);
    assert.ok(none.atHead);
    assert.ok(none.scanned !== null && log.comparePositions(none.scanned, position) >= 0);
    assert.equal((await log.readAll(none.scanned, 100, [])).events, []);
  });

  holds('given the head, then nothing is read after it until something comes', async ({ log }) => {
    const { position } = await log.append(newStream(), 'none', [event()]);
    const head = await log.head();
    assert.ok(head !== null && log.comparePositions(head, position) >= 0);
    const nothing = await log.readAll(head, 10);
    assert.equal(nothing, { events: [], scanned: head, atHead: true });
    const next = creation();
    await log.append(next.stream, next.expected, next.events);
    const page = await log.readAll(head, 10);
    assert.equal(
      page.events.map(({ stream }) => stream),
      [next.stream],
    );
  });

  holds(
    'given its identity, then it is one for everybody, and no event of it is seen',
    async ({ log, open }) => {
      const others = Array.from({ length: 5 }, () => open());
      const ids = await Promise.all([log, ...others].map((one) => one.logId()));
      assert.is(new Set(ids).size, 1);
      assert.match(ids[0] ?? '', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      assert.is(await log.logId(), ids[0]);
      const everything = await readToHead(log, null, 1_000);
      assert.ok(everything.every(({ stream }) => stream.startsWith('token-')));
    },
  );

  holds(
    'given a log, when several installations want it, then one gets it, until it is given to another',
    async ({ log, open }) => {
      await log.logId();
      assert.is(await log.owner(), null);
      const installations = Array.from({ length: 4 }, () => randomId());
      const given = await Promise.all(installations.map((one) => open().giveTo(one, null)));
      assert.is(given.filter(Boolean).length, 1);
      const winner = installations[given.indexOf(true)] ?? '';
      assert.is(await log.owner(), winner);
      const other = randomId();
      assert.is(await log.giveTo(other, null), false);
      assert.is(await log.giveTo(other, randomId()), false);
      assert.is(await log.giveTo(other, winner), true);
      assert.is(await open().owner(), other);
    },
  );
}

async function readToHead(
  log: EventLog,
  after: Position | null,
  limit: number,
  types?: readonly string[],
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (let from = after; ;) {
    const page = await log.readAll(from, limit, types);
    assert.ok(page.events.length <= limit);
    events.push(...page.events);
    if (page.atHead) return events;
    assert.ok(page.scanned !== null && (from === null || log.comparePositions(page.scanned, from) > 0));
    from = page.scanned;
  }
}

async function eventAt(log: EventLog, position: Position): Promise<RecordedEvent | undefined> {
  const events = await readToHead(log, null, 1_000);
  return events.find((one) => log.comparePositions(one.position, position) === 0);
}
