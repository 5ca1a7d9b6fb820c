import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DomainEvent } from '#domain/event.ts';
import { isRefusal } from '#domain/event.ts';
import { foldStream, lastWhole } from '#domain/fold.ts';
import { createToken, lapseProperty, updateToken } from '#domain/token/decide.ts';
import type { TokenEvent } from '#domain/token/events.ts';
import { tokenFold } from '#domain/token/state.ts';
import type { TokenAttributes, TokenState } from '#domain/token/state.ts';

const restore = suite('states that one event tells whole');

const attributes = (payloadId: string, metadata?: Record<string, string>): TokenAttributes => ({
  payloadId,
  mask: null,
  containers: ['/pci/'],
  metadata,
  searchIndexes: undefined,
  fingerprintExpression: '{{ data }}',
  expiresAt: undefined,
});

/** Events as they are recorded. */
function recorded(decided: ReturnType<typeof updateToken>, revision: number): TokenEvent[] {
  assert.not(isRefusal(decided));
  return (decided as readonly object[]).map((event) => ({
    ...event,
    metadata: {
      tenant_id: 'tenant',
      actor: { type: 'application', id: `application ${revision}` },
      occurred_at: `2026-01-01T00:00:0${revision}.000Z`,
    },
  })) as unknown as TokenEvent[];
}

const asRecorded = (event: TokenEvent) => event as unknown as TokenEvent & { data: object; metadata: object };

function life(): TokenEvent[] {
  const created = { id: 'a', type: 'card', ...attributes('first', { a: '1' }) };
  const events = recorded(createToken(tokenFold.initial, created), 0);
  const state = (): TokenState => foldStream(tokenFold, events.map(asRecorded));
  events.push(...recorded(lapseProperty(state(), 'first', 'cvc'), 1));
  events.push(...recorded(updateToken(state(), attributes('second')), 2));
  events.push(...recorded(updateToken(state(), attributes('third', { b: '2' })), 3));
  events.push(...recorded(lapseProperty(state(), 'third', 'cvc'), 4));
  return events;
}

restore(
  'given a token that was updated, then its last update and what follows tell what all events tell',
  () => {
    const events = life().map(asRecorded);
    const whole = lastWhole(tokenFold, events);
    assert.ok(whole);
    assert.is(whole.after.length, 1);
    const { lapsedPayloadId: earlier, ...told } = foldStream(
      tokenFold,
      whole.after,
      whole.state,
    ) as never as {
      lapsedPayloadId: string;
    };
    const { lapsedPayloadId, ...all } = foldStream(tokenFold, events) as never as { lapsedPayloadId: string };
    assert.equal(told, all);
    assert.equal([earlier, lapsedPayloadId], ['third', 'third']);
  },
);

restore(
  'given updates of early versions, which left out what they do not change, then none tells it whole',
  () => {
    const early = life().map((event) => {
      const data = Object.fromEntries(
        Object.entries(event.data).filter(([name]) => !['type', 'created_at'].includes(name)),
      );
      return asRecorded({ ...event, data } as unknown as TokenEvent);
    });
    assert.is(lastWhole(tokenFold, early), undefined);
  },
);

restore('given a stream that no event tells whole, then it is read as before', () => {
  const counting = { initial: 0, evolve: (state: number) => state + 1 };
  const events = [asRecorded(life()[0] as TokenEvent)];
  assert.is(lastWhole<number, DomainEvent, (typeof events)[number]>(counting, events), undefined);
});

restore.run();
