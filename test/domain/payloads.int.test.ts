import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventCatalog } from '#domain/catalog.ts';
import { isForgotten, payloadBringing, payloadsBroughtBy } from '#domain/payloads.ts';

/** They refer to payloads that go by time, or are looked for where they are used. */
const byTime = ['transaction.created'];

test('given every type of event that brings something into the vault, then it is known, or goes by time', () => {
  const bringing = Object.entries(eventCatalog)
    .filter(([type]) => /\.(created|updated|rotated)$/.test(type))
    .filter(([, { schema }]) => /"(payload_id|secret_id)"/.test(JSON.stringify(schema)))
    .map(([type]) => type);
  assert.equal(bringing.sort(), [...payloadBringing, ...byTime].sort());
});

test('given an event of each such type, then it names what it brings', () => {
  const directory = new URL('../fixtures/events/', import.meta.url);
  for (const type of payloadBringing) {
    const file = readdirSync(directory).find((name) => name.startsWith(`${type}.`));
    assert.ok(file !== undefined, type);
    const event = JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as { data: object };
    assert.ok(payloadsBroughtBy({ type, data: event.data }).length > 0, type);
  }
});

test('given a payload that was replaced, or whose record ended, then it is forgotten, and no other', () => {
  const created = { type: 'token.created', data: { id: 'a', payload_id: 'first' } };
  const updated = {
    type: 'token.updated',
    data: { id: 'a', payload_id: 'second', previous_payload_id: 'first' },
  };
  const deleted = { type: 'token.deleted', data: { id: 'a', payload_id: 'second' } };
  const forgotten = (...events: { type: string; data: object }[]): boolean[] =>
    ['first', 'second'].map((id) => isForgotten(id, events));
  assert.equal(forgotten(created), [false, false]);
  assert.equal(forgotten(created, updated), [true, false]);
  assert.equal(forgotten(created, updated, deleted), [true, true]);
  const rotated = { type: 'webhook.secret.rotated', data: { id: 'a', forgotten_secret_id: 'first' } };
  assert.equal(forgotten(rotated), [true, false]);
});

test.run();
