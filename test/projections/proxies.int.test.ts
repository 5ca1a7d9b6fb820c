import { suite } from 'uvu';
import type { JsonObject } from '#ports/json.ts';
import { proxiesProjection } from '#projections/proxies.ts';
import { recordedEvent, specification } from '#test/support/projection.ts';

const view = suite('view of proxies');

const event = (type: string, data: JsonObject) => recordedEvent({ type, data });
const id = (n: number): string => `8f6e2f0c-5d0a-4a5e-9d5c-1d1f3f6f200${n}`;
const at = new Date('2030-01-02T03:04:05.678Z');

const attributes = {
  name: 'one',
  request_transform: 'code',
  response_reactor_id: id(5),
  application_id: id(2),
  require_auth: false,
  payload_id: id(3),
};
const created = event('proxy.created', { id: id(1), ...attributes });
const updated = event('proxy.updated', {
  id: id(1),
  previous_payload_id: id(3),
  name: 'two',
  response_transform: 'other',
  require_auth: true,
  payload_id: id(4),
});
const deleted = event('proxy.deleted', { id: id(1), payload_id: id(4) });
const { tenant_id, actor } = created.metadata;
const key = { tenant_id, id: id(1) };
const creation = {
  ...{ created_by: actor.id, created_at: at, ordinal: created.ordinal },
  revision: created.revision,
};

view('given a proxy, when events are applied once or twice, then it is there', () => {
  for (const numberOfTimes of [1, 2]) {
    specification(proxiesProjection)
      .given([created])
      .when({ numberOfTimes })
      .then({ proxies: [{ ...key, ...attributes, ...creation }] });
  }
});

view('given an update without an application, when events are applied, then all is replaced', () => {
  const changed = {
    name: 'two',
    response_transform: 'other',
    require_auth: true,
    payload_id: id(4),
    modified_by: actor.id,
    modified_at: at,
  };
  specification(proxiesProjection)
    .given([created, updated])
    .when({ numberOfTimes: 2 })
    .then({ proxies: [{ ...key, ...creation, ...changed }] });
});

view('given a proxy that was deleted, when events are applied, then nothing is left', () => {
  specification(proxiesProjection).given([created, updated, deleted]).when({ numberOfTimes: 2 }).then({});
});

view.run();
