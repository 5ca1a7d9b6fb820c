import type { ServerResponse } from 'node:http';
import * as assert from 'uvu/assert';
import { sweepDeliveries } from '#infra/webhooks/sweep.ts';
import { until } from '#test/support/until.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { webhookSuite } from '#test/webhooks/support/suite.ts';
import type { WebhookContext } from '#test/webhooks/support/suite.ts';
import { createToken, createWebhook, deliveriesOf, manage } from '#test/webhooks/support/webhooks.ts';
import type { Delivery, Webhook } from '#test/webhooks/support/webhooks.ts';

const endings = webhookSuite('ends of deliveries', [3_600_000, 3_600_000]);

/** Waits for the delivery of a webhook that has one, after so many attempts. */
const attempted = (service: VaultService, id: string, attempts: number): Promise<Delivery> =>
  until(async () => (await deliveriesOf(service, id)).find((delivery) => delivery.attempts === attempts));

const stateOf = async (service: VaultService, id: string): Promise<Webhook> =>
  (await manage<Webhook>(service, 'GET', `/webhooks/${id}`)).body;

/** A webhook whose delivery was refused, and is tried again in an hour. */
async function refused({ service, receiver }: WebhookContext): Promise<Webhook> {
  receiver.answer = (response) => {
    response.writeHead(500).end();
  };
  const webhook = await createWebhook(service, receiver.url);
  await createToken(service);
  await attempted(service, webhook.id, 1);
  return webhook;
}

/** The service is stopped for three hours. */
async function letHoursPass({ composition: { pools } }: VaultService, id: string): Promise<void> {
  await pools.owner.query(
    `update work.webhook_endpoints
     set failing_since = failing_since - interval '3 hours', failed_at = failed_at - interval '3 hours'
     where webhook_id = $1`,
    [id],
  );
  await pools.owner.query(
    `update work.webhook_deliveries set due_at = now() where webhook_id = $1 and status = 'pending'`,
    [id],
  );
}

endings(
  'given a refusal, when the next comes after a service that stood still, then the webhook stays enabled until its attempts are used up',
  async ({ service, receiver }) => {
    const { id } = await refused({ service, receiver });
    await letHoursPass(service, id);
    await attempted(service, id, 2);
    const { rows } = await service.composition.pools.owner.query<{ failing_for: number }>(
      'select failing_for from work.webhook_endpoints where webhook_id = $1',
      [id],
    );
    assert.is(rows[0]?.failing_for, 60_000);
    assert.is((await stateOf(service, id)).status, 'enabled');
    await letHoursPass(service, id);
    await until(async () => (await stateOf(service, id)).disabled_reason === 'failing');
    assert.is((await attempted(service, id, 3)).status, 'failed');
  },
);

endings(
  'given a receiver that was tried all the time, when it refuses once more, then the webhook is disabled, and what waits is ended',
  async ({ service, receiver }) => {
    const { id } = await refused({ service, receiver });
    await service.composition.pools.owner.query(
      'update work.webhook_endpoints set failing_for = 7200000 where webhook_id = $1',
      [id],
    );
    await createToken(service);
    await until(async () => (await stateOf(service, id)).disabled_reason === 'failing');
    await until(async () => (await deliveriesOf(service, id, '?status=failed')).length === 2);
  },
);

endings(
  'given a delivery that waits for an hour, when its webhook is disabled by a client, then it has failed at once',
  async ({ service, receiver }) => {
    const { id, name, url, events } = await refused({ service, receiver });
    const disabled = { name, url, events, status: 'disabled' };
    assert.is((await manage(service, 'PUT', `/webhooks/${id}`, disabled)).status, 200);
    const ended = await until(async () => (await deliveriesOf(service, id, '?status=failed'))[0]);
    assert.is(ended.outcome, 'disabled');
    assert.is(receiver.received.length, 1);
  },
);

endings(
  'given an attempt under way, when another is asked for and the first is refused, then the other is made at once',
  async ({ service, receiver }) => {
    const unanswered: ServerResponse[] = [];
    receiver.answer = (response) => {
      if (receiver.received.length === 1) unanswered.push(response);
      else response.writeHead(204).end();
    };
    const { id } = await createWebhook(service, receiver.url);
    await createToken(service);
    await until(() => unanswered.length === 1);
    const [delivery] = await deliveriesOf(service, id);
    assert.is(
      (await manage(service, 'POST', `/webhooks/${id}/deliveries/${delivery?.id}/retry`)).status,
      202,
    );
    await until(async () => {
      const { rows } = await service.composition.pools.owner.query(
        `select from work.webhook_deliveries where id = $1 and turn = 'asked' and claimed_until is not null`,
        [delivery?.id],
      );
      return rows.length === 1;
    });
    assert.is(receiver.received.length, 1);
    for (const response of unanswered) response.writeHead(500).end();
    await until(async () => (await deliveriesOf(service, id, '?status=delivered')).length === 1);
    assert.is(receiver.received.length, 2);
  },
);

endings(
  'given deliveries from long ago, when they are swept, then one that was sent again of late is kept',
  async ({ service, receiver }) => {
    const { id } = await createWebhook(service, receiver.url);
    await createToken(service);
    await createToken(service);
    const [kept, swept] = await until(async () => {
      const listed = await deliveriesOf(service, id, '?status=delivered');
      return listed.length === 2 && listed;
    });
    const { owner } = service.composition.pools;
    await owner.query(`update work.webhook_deliveries set created_at = now() - interval '40 days'`);
    await owner.query(
      `update work.webhook_deliveries set due_at = now() - interval '31 days' where id = $1`,
      [swept?.id],
    );
    await sweepDeliveries(owner);
    assert.equal(
      (await deliveriesOf(service, id)).map((delivery) => delivery.id),
      [kept?.id],
    );
  },
);

endings.run();
