import { readFileSync, readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventTypes } from '#domain/catalog.ts';
import type { DomainEvent } from '#domain/event.ts';
import { internalTypes, pingKind, toldOf, webhookKinds } from '#domain/webhook/kinds.ts';

const kinds = suite('what webhooks are told');

kinds(
  'given every type of event, when it is looked for, then it is told, or said to be internal, not both',
  () => {
    const known = [...webhookKinds, pingKind, ...internalTypes].sort();
    assert.equal(known, [...eventTypes].sort());
  },
);

const folder = new URL('../fixtures/events/', import.meta.url);

for (const file of readdirSync(folder)) {
  const event = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as DomainEvent;
  kinds(`given ${file}, when it is told, then it names its subject and nothing of the vault`, () => {
    const data = toldOf(event);
    assert.is(data === undefined, internalTypes.includes(event.type));
    if (data === undefined) return;
    assert.ok(JSON.stringify(data).includes(String((event.data as { id: string }).id)));
    assert.not.match(JSON.stringify(data), /payload|secret|"code"|callback/);
  });
}

const told = (file: string): unknown =>
  toldOf(JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as DomainEvent);

kinds('given a capture, when it is told, then the amount that was captured is', () => {
  const { transaction } = told('transaction.capture_succeeded.v1.json') as {
    transaction: Record<string, unknown>;
  };
  assert.type(transaction['authorized_amount'], 'number');
  assert.type(transaction['captured_amount'], 'number');
});

kinds('given the page on webhooks, when its table of kinds is read, then each kind is in it, once', () => {
  const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('## What each kind tells'), page.indexOf('## Delivery'));
  const rows = [...table.matchAll(/^\| (`[^|]+`) +\|/gm)].map(([, cell = '']) => cell);
  const named = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, kind = '']) => kind));
  assert.equal(named.sort(), [...webhookKinds, pingKind].sort());
});

kinds.run();
