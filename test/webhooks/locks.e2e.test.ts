import * as assert from 'uvu/assert';
import { inTransaction } from '#infra/vault/tenantStatement.ts';
import { lockEndpoints } from '#infra/webhooks/endpointLock.ts';
import { until } from '#test/support/until.ts';
import { untilSomebodyWaits } from '#test/webhooks/support/database.ts';
import { webhookSuite } from '#test/webhooks/support/suite.ts';
import type { WebhookContext } from '#test/webhooks/support/suite.ts';
import { createToken, createWebhook, deliveriesOf, manage } from '#test/webhooks/support/webhooks.ts';

const locks = webhookSuite('locks of deliveries');

/** A webhook whose one delivery was accepted, and the id of that. */
async function delivered({ service, receiver }: WebhookContext): Promise<{ id: string; delivery: string }> {
  const { id } = await createWebhook(service, receiver.url);
  await createToken(service);
  const found = await until(async () => (await deliveriesOf(service, id, '?status=delivered'))[0]);
  return { id, delivery: found.id };
}

const asked: readonly [string, (id: string, delivery: string) => [string, unknown]][] = [
  ['retried', (id, delivery) => [`/webhooks/${id}/deliveries/${delivery}/retry`, undefined]],
  ['replayed', (id) => [`/webhooks/${id}/replay`, { from: new Date(Date.now() - 3_600_000).toISOString() }]],
];

for (const [what, request] of asked) {
  locks(
    `given an endpoint that somebody writes to, when a delivery is ${what}, then it is not touched before, and sent after`,
    async ({ service, receiver }) => {
      const { id, delivery } = await delivered({ service, receiver });
      const { owner } = service.composition.pools;
      await inTransaction(owner, async (client) => {
        await lockEndpoints(client, [id]);
        assert.is((await manage(service, 'POST', ...request(id, delivery))).status, 202);
        await untilSomebodyWaits(service);
        // Whoever waits for the endpoint has none of its deliveries.
        const { rows } = await client.query<{ status: string }>(
          'select status from work.webhook_deliveries where id = $1 for update nowait',
          [delivery],
        );
        assert.equal(rows, [{ status: 'delivered' }]);
      });
      await until(() => receiver.received.length >= 2);
    },
  );
}

locks(
  'given a database that refuses a verdict as a deadlock, when it is written again, then the message is not sent again',
  async ({ service, receiver }) => {
    const { owner } = service.composition.pools;
    await owner.query(`
      create sequence work.refusals;
      create function work.refuse() returns trigger language plpgsql as $$
      begin
        if nextval('work.refusals') <= 3 then
          raise exception 'deadlock detected' using errcode = '40P01';
        end if;
        return new;
      end $$;
      create trigger refuse before update on work.webhook_deliveries
        for each row when (new.status = 'delivered') execute function work.refuse()`);
    const { id } = await createWebhook(service, receiver.url);
    await createToken(service);
    await until(async () => (await deliveriesOf(service, id, '?status=delivered')).length === 1);
    const { rows } = await owner.query<{ last_value: string }>('select last_value from work.refusals');
    assert.is(Number(rows[0]?.last_value), 4);
    assert.is(receiver.received.length, 1);
    await owner.query('drop trigger refuse on work.webhook_deliveries');
  },
);

locks(
  'given deliveries of many messages, when all are retried and replayed again and again meanwhile, then none hangs',
  async ({ service, receiver }) => {
    const { id } = await createWebhook(service, receiver.url);
    const from = new Date(Date.now() - 3_600_000).toISOString();
    for (let count = 0; count < 20; count++) await createToken(service);
    await until(async () => (await deliveriesOf(service, id, '?size=100&status=delivered')).length === 20);
    for (const delivery of await deliveriesOf(service, id, '?size=100')) {
      await manage(service, 'POST', `/webhooks/${id}/deliveries/${delivery.id}/retry`);
      await manage(service, 'POST', `/webhooks/${id}/replay`, { from });
    }
    await until(async () => {
      const { rows } = await service.composition.pools.owner.query('select from work.webhook_replays');
      return rows.length === 0 && (await deliveriesOf(service, id, '?status=pending')).length === 0;
    });
    assert.ok(receiver.received.length >= 40, String(receiver.received.length));
  },
);

locks.run();
