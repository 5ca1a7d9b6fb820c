import { suite } from 'uvu';
import type { JsonObject } from '#ports/json.ts';
import { reactorsProjection } from '#projections/reactors.ts';
import { textDigest } from '#src/textDigest.ts';
import { recordedEvent, specification } from '#test/support/projection.ts';

const view = suite('view of reactors');

const event = (type: string, data: JsonObject) => recordedEvent({ type, data });
const id = (n: number): string => `8f6e2f0c-5d0a-4a5e-9d5c-1d1f3f6f200${n}`;
const at = new Date('2030-01-02T03:04:05.678Z');

const attributes = { name: 'one', code: 'code', application_id: id(2), payload_id: id(3) };
const created = event('reactor.created', { id: id(1), ...attributes });
const updated = event('reactor.updated', {
  id: id(1),
  previous_payload_id: id(3),
  name: 'two',
  code: 'other',
  payload_id: id(4),
});
const deleted = event('reactor.deleted', { id: id(1), payload_id: id(4) });
const { tenant_id, actor } = created.metadata;
const key = { tenant_id, id: id(1) };
const creation = {
  ...{ created_by: actor.id, created_at: at, ordinal: created.ordinal },
  revision: created.revision,
  code_digest: textDigest('code'),
};

view('given a reactor, when events are applied once or twice, then it is there', () => {
  for (const numberOfTimes of [1, 2]) {
    specification(reactorsProjection)
      .given([created])
      .when({ numberOfTimes })
      .then({ reactors: [{ ...key, ...attributes, ...creation }] });
  }
});

view('given an update without an application, when events are applied, then all is replaced', () => {
  const changed = {
    ...{ name: 'two', code: 'other', payload_id: id(4), modified_by: actor.id, modified_at: at },
    code_digest: textDigest('other'),
  };
  specification(reactorsProjection)
    .given([created, updated])
    .when({ numberOfTimes: 2 })
    .then({ reactors: [{ ...key, ...creation, ...changed }] });
});

view('given a reactor that was deleted, when events are applied, then nothing is left', () => {
  specification(reactorsProjection).given([created, updated, deleted]).when({ numberOfTimes: 2 }).then({});
});

view.run();
