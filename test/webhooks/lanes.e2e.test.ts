import type { ServerResponse } from 'node:http';
import * as assert from 'uvu/assert';
import { Paces } from '#infra/webhooks/paces.ts';
import { webhookRetryDelays } from '#src/outgoing/schedule.ts';
import { until } from '#test/support/until.ts';
import type { Receiver } from '#test/webhooks/support/receiver.ts';
import { webhookSuite } from '#test/webhooks/support/suite.ts';
import type { WebhookContext } from '#test/webhooks/support/suite.ts';
import { createToken, createWebhook, deliveriesOf, manage } from '#test/webhooks/support/webhooks.ts';

const lanes = webhookSuite('lanes of webhooks', [2_500, 3_600_000]);

const refuse: Receiver['answer'] = (response) => {
  response.writeHead(500).end();
};

lanes(
  'given a message that is not answered, when others come to its endpoint, then they arrive meanwhile',
  async ({ service, receiver }) => {
    const unanswered: ServerResponse[] = [];
    receiver.answer = (response) => {
      if (receiver.received.length === 1) unanswered.push(response);
      else response.writeHead(204).end();
    };
    const { id } = await createWebhook(service, receiver.url);
    await createToken(service);
    await until(() => unanswered.length === 1);
    for (let count = 0; count < 10; count++) await createToken(service);
    await until(async () => (await deliveriesOf(service, id, '?status=delivered')).length === 10);
    for (const response of unanswered) response.writeHead(204).end();
    await until(async () => (await deliveriesOf(service, id, '?status=delivered')).length === 11);
  },
);

lanes(
  'given many messages about a token whose first is not answered, when another is created, then that arrives meanwhile',
  async ({ service, receiver }) => {
    receiver.answer = (response) => {
      if (receiver.received.length > 1) response.writeHead(204).end();
    };
    await createWebhook(service, receiver.url, ['token.created', 'token.updated']);
    const id = await createToken(service);
    for (let change = 0; change < 40; change++) {
      await service.call('PATCH', `/tokens/${id}`, { metadata: { change: String(change) } });
    }
    const other = await createToken(service);
    await until(() => receiver.received.length === 2);
    assert.is(receiver.messages()[1]?.data['token']?.['id'], other);
  },
);

/** A webhook that refuses message after message, with more to come. */
async function failingWebhook({ service, receiver }: WebhookContext, messages: number): Promise<string> {
  receiver.answer = refuse;
  const { id } = await createWebhook(service, receiver.url);
  for (let count = 0; count < messages; count++) await createToken(service);
  await until(() => receiver.received.length >= 10);
  return id;
}

const idsOf = (receiver: Receiver): unknown[] =>
  receiver.received.map(({ headers }) => headers['webhook-id']);

lanes(
  'given a receiver that refuses all, when the first retry is due, then it does not wait for all that is new',
  async ({ service, receiver }) => {
    await failingWebhook({ service, receiver }, 60);
    await until(() => new Set(idsOf(receiver)).size < receiver.received.length);
    assert.ok(new Set(idsOf(receiver)).size < 30, `${new Set(idsOf(receiver)).size} before it`);
    assert.is(webhookRetryDelays[0], 8_000);
  },
);

lanes(
  'given a receiver that refuses all, when a ping and a retry are asked for, then they arrive before what waits',
  async ({ service, receiver }) => {
    const id = await failingWebhook({ service, receiver }, 60);
    const [newest] = await deliveriesOf(service, id, '?status=pending');
    assert.ok(newest?.attempts === 0);
    const before = receiver.received.length;
    assert.is((await manage(service, 'POST', `/webhooks/${id}/ping`)).status, 202);
    const retry = `/webhooks/${id}/deliveries/${newest.id}/retry`;
    assert.is((await manage(service, 'POST', retry)).status, 202);
    await until(() => idsOf(receiver).includes(newest.event_id));
    await until(() => receiver.messages().some(({ type }) => type === 'webhook.pinged'));
    const among = receiver.received.length - before;
    assert.ok(among < 25, `${among} since`);
  },
);

lanes('given endpoints that are not served for long, when others are, then their pace is forgotten', () => {
  let now = 0;
  const paces = new Paces(() => now);
  const first = paces.take('first');
  now += 60_000;
  assert.is(paces.take('first'), first);
  paces.take('second');
  now += 601_000;
  paces.take('third');
  assert.is(paces.size, 1);
  assert.is.not(paces.take('first'), first);
});

lanes.run();
