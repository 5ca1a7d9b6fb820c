import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Changed } from '#ports/integrityAlarm.ts';
import type { SignedState } from '#ports/stateSigner.ts';
import { isNewest } from '#src/signedStreams.ts';

const streams = suite('rows and their streams');

/** A row at revision 1, whose stream has an event after it that is so many seconds old, or none. */
async function look(
  seconds: number | undefined,
): Promise<{ newest: boolean; alarms: Changed[]; checked: SignedState[] }> {
  const now = new Date('2030-01-01T00:10:00Z');
  const alarms: Changed[] = [];
  const checked: SignedState[] = [];
  const occurredAt = new Date(now.getTime() - (seconds ?? 0) * 1_000).toISOString();
  const next = { metadata: { occurred_at: occurredAt } } as RecordedEvent;
  const newest = await isNewest(
    {
      log: {
        readStream: (_stream, from) => Promise.resolve(from === 2n && seconds !== undefined ? [next] : []),
      },
      stateSigner: {
        sign: () => Promise.resolve(''),
        check: (state) => {
          checked.push(state);
          return Promise.resolve();
        },
      },
      integrityAlarm: (changed) => alarms.push(changed),
      clock: { now: () => now },
    },
    { stream: 'application-t.a', revision: 1n, content: {}, mac: 'mac' },
  );
  return { newest, alarms, checked };
}

streams('given a row that nothing came after, when it is looked at, then its MAC decides', async () => {
  const { newest, alarms, checked } = await look(undefined);
  assert.equal([newest, alarms, checked.length], [true, [], 1]);
});

streams(
  'given an event of a moment ago after a row, then the stream is gone by, without an alarm',
  async () => {
    assert.equal(await look(5), { newest: false, alarms: [], checked: [] });
  },
);

streams(
  'given an event that has been there for long, then there is an alarm: the row was put back',
  async () => {
    const { newest, alarms } = await look(61);
    assert.is(newest, false);
    assert.equal(alarms, [{ kind: 'application', name: 'application-t.a', what: 'behind its stream' }]);
  },
);

streams.run();
