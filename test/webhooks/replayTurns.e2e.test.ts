import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTransaction } from '#infra/vault/tenantStatement.ts';
import { createWebhookOutbox } from '#infra/webhooks/outbox.ts';
import { createReplayer } from '#infra/webhooks/replays.ts';
import { randomId } from '#src/identifiers.ts';
import { until } from '#test/support/until.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { createWebhook, manage, startWebhookService } from '#test/webhooks/support/webhooks.ts';

const turns = suite<{ service: VaultService }>('turns of replays');

/** Nobody works on replays but the tests. */
turns.before(async (context) => {
  context.service = await startWebhookService();
  await context.service.stopWorker();
});
turns.after(({ service }) => service.close());
turns.after.each(async ({ service }) => {
  await service.composition.pools.owner.query('delete from work.webhook_replays');
});

/** As the fan-out adds them. */
async function addReplays(
  { composition: { pools, log } }: VaultService,
  { tenantId, webhookId, count }: { tenantId: string; webhookId: string; count: number },
): Promise<void> {
  const position = (await log.head()) ?? '';
  const stretch = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' };
  for (let n = 0; n < count; n++) {
    await inTransaction(pools.owner, (client) =>
      createWebhookOutbox().add(client, {
        deliveries: [],
        retries: [],
        changed: [],
        deleted: [],
        replays: [{ tenantId, id: randomId(), webhookId, ...stretch, lastPosition: position }],
        readTo: { occurredAt: new Date(), position },
      }),
    );
  }
}

async function openOf({ composition: { pools } }: VaultService, tenantId: string): Promise<number> {
  const text = 'select from work.webhook_replays where tenant_id = $1';
  return (await pools.owner.query(text, [tenantId])).rows.length;
}

turns(
  'given many replays of one tenant, when another asks for one, then it is next but one, however many there are',
  async ({ service }) => {
    const { pools, log } = service.composition;
    const [busy, other] = [randomId(), randomId()];
    await addReplays(service, { tenantId: busy, webhookId: randomId(), count: 10 });
    await addReplays(service, { tenantId: other, webhookId: randomId(), count: 1 });
    const advance = createReplayer({ pool: pools.owner, log });
    await advance();
    await advance();
    assert.equal([await openOf(service, busy), await openOf(service, other)], [9, 0]);
    // Also when it is asked for while those of the first go on.
    await addReplays(service, { tenantId: other, webhookId: randomId(), count: 1 });
    await advance();
    await advance();
    assert.equal([await openOf(service, busy), await openOf(service, other)], [8, 0]);
  },
);

turns(
  'given a webhook with five replays that are not done, when another is asked for, then it is refused until one is done',
  async ({ service }) => {
    const { tenantId, composition } = service;
    const events = ['token.created'];
    const [first, second] = [
      await createWebhook(service, 'https://example.com/1', events),
      await createWebhook(service, 'https://example.com/2', events),
    ];
    const ask = async (id: string): Promise<number> =>
      (await manage(service, 'POST', `/webhooks/${id}/replay`, { from: '2026-01-01' })).status;
    await addReplays(service, { tenantId, webhookId: first.id, count: 5 });
    assert.equal([await ask(first.id), await ask(second.id)], [422, 202]);
    assert.is((await manage(service, 'POST', `/webhooks/${first.id}/ping`)).status, 202);
    const advance = createReplayer({ pool: composition.pools.owner, log: composition.log });
    await until(async () => (await advance()) && (await openOf(service, tenantId)) < 5);
    assert.is(await ask(first.id), 202);
  },
);

turns.run();
