import * as assert from 'uvu/assert';
import { randomId } from '#src/identifiers.ts';
import { until } from '#test/support/until.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { webhookSuite } from '#test/webhooks/support/suite.ts';
import { createToken, createWebhook, deliveriesOf, manage } from '#test/webhooks/support/webhooks.ts';

const replays = webhookSuite('replays');

const hoursAgo = (count: number): number => Date.now() - count * 3_600_000;

/** Appends the event of a token that expired then. Answers its position in the log. */
async function expiredAt({ composition, tenantId }: VaultService, time: number): Promise<string> {
  const id = randomId();
  const metadata = {
    tenant_id: tenantId,
    actor: { type: 'system', id: 'test' } as const,
    trace_id: randomId(),
    command_id: randomId(),
    schema_version: 1,
    occurred_at: new Date(time).toISOString(),
  };
  const event = { id: randomId(), type: 'token.expired', data: { id, payload_id: randomId() }, metadata };
  const { position } = await composition.log.append(`token-${tenantId}.${id}`, 'none', [event]);
  return position;
}

/** Waits until the fan-out has come to here. */
async function readTo({ composition: { pools, log } }: VaultService, position: string): Promise<void> {
  await until(async () => {
    const { rows } = await pools.owner.query<{ position: string | null }>(
      "select position from work.subscriptions where name = 'webhook_fan_out'",
    );
    const read = rows[0]?.position ?? null;
    return read !== null && log.comparePositions(read, position) >= 0;
  });
}

replays(
  'given a stretch in the middle of a long past, when it is replayed, then all of it arrives and nothing beside it',
  async ({ service, receiver }) => {
    const times = [50, 48, 46, 47, 44, 42].map(hoursAgo);
    for (const time of times) await readTo(service, await expiredAt(service, time));
    const { id } = await createWebhook(service, receiver.url, ['token.expired']);
    const [from, to] = [hoursAgo(49), hoursAgo(45)].map((time) => new Date(time).toISOString());
    const asked = await manage(service, 'POST', `/webhooks/${id}/replay`, { from, to });
    assert.is(asked.status, 202);
    await until(() => receiver.received.length >= 3);
    await until(async () => {
      const { rows } = await service.composition.pools.owner.query('select from work.webhook_replays');
      return rows.length === 0 && (await deliveriesOf(service, id, '?status=pending')).length === 0;
    });
    const wanted = times.slice(1, 4).sort((a, b) => a - b);
    assert.equal(
      receiver
        .messages()
        .map(({ timestamp }) => Date.parse(timestamp))
        .sort((a, b) => a - b),
      wanted,
    );
  },
);

replays(
  'given a long replay to a slow receiver, when something new happens, then it arrives before the rest of the replay',
  async ({ service, receiver }) => {
    receiver.answer = (response) => {
      setTimeout(() => response.writeHead(204).end(), 20);
    };
    const count = 300;
    const from = hoursAgo(30);
    for (let n = 0; n < count; n++) await expiredAt(service, from + n);
    const { id } = await createWebhook(service, receiver.url, ['token.expired', 'token.created']);
    const stretch = { from: new Date(from).toISOString(), to: new Date(from + count).toISOString() };
    assert.is((await manage(service, 'POST', `/webhooks/${id}/replay`, stretch)).status, 202);
    await until(() => receiver.received.length > 5);
    await createToken(service);
    await until(() => receiver.received.length === count + 1);
    const place = receiver.messages().findIndex(({ type }) => type === 'token.created');
    assert.ok(place < count / 2, `it was number ${place}`);
  },
);

replays.run();
