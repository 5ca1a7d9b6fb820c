import { suite } from 'uvu';
import type { JsonObject } from '#ports/json.ts';
import { connectionsProjection } from '#projections/connections.ts';
import { recordedEvent, specification } from '#test/support/projection.ts';

const view = suite('view of connections');

const event = (type: string, data: JsonObject) => recordedEvent({ type, data });
const id = (n: number): string => `8f6e2f0c-5d0a-4a5e-9d5c-1d1f3f6f200${n}`;
const at = new Date('2030-01-02T03:04:05.678Z');

const attributes = {
  display_name: 'one',
  accepted_countries: ['US'],
  accepted_currencies: ['USD'],
  active: true,
  payload_id: id(2),
};
const kind = { connection_formula_id: 'sandbox-card', method: 'card', three_d_secure_enabled: true };
const created = event('connection.created', { id: id(1), ...kind, ...attributes });
const available = event('connection.available', { id: id(1), payload_id: id(2) });
const failed = event('connection.failed', { id: id(1), payload_id: id(2) });
const renamed = event('connection.updated', { id: id(1), ...attributes, display_name: 'two' });
const replaced = event('connection.updated', {
  id: id(1),
  ...attributes,
  payload_id: id(3),
  previous_payload_id: id(2),
});
const deleted = event('connection.deleted', { id: id(1), payload_id: id(2) });
const forgotten = event('connection.forgotten', { id: id(1), payload_id: id(2) });
const { tenant_id, actor } = created.metadata;
const row = {
  ...{ tenant_id, id: id(1), ...kind, ...attributes },
  ...{ created_by: actor.id, created_at: at, ordinal: created.ordinal },
};
const modified = { modified_by: actor.id, modified_at: at };

for (const [title, events, expected] of [
  ['a new connection', [created], { ...row, status: 'pending' }],
  ['one that was found available', [created, available], { ...row, status: 'available' }],
  ['one that was found failed', [created, failed], { ...row, status: 'failed' }],
  [
    'one that was renamed',
    [created, available, renamed],
    { ...row, ...modified, display_name: 'two', status: 'available' },
  ],
  [
    'one with other fields',
    [created, available, replaced],
    { ...row, ...modified, payload_id: id(3), status: 'pending' },
  ],
] as const) {
  view(`given ${title}, when events are applied once or twice, then its row says so`, () => {
    for (const numberOfTimes of [1, 2]) {
      specification(connectionsProjection)
        .given(events)
        .when({ numberOfTimes })
        .then({ connections: [expected] });
    }
  });
}

view(
  'given one that was deleted, when events are applied, then it waits to be forgotten, and then is',
  () => {
    specification(connectionsProjection)
      .given([created, available, deleted])
      .when({ numberOfTimes: 2 })
      .then({ deleted_connections: [{ tenant_id, id: id(1), deleted_at: at }] });
    specification(connectionsProjection)
      .given([created, available, deleted, forgotten])
      .when({ numberOfTimes: 2 })
      .then({});
  },
);

view.run();
