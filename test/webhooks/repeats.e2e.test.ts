import * as assert from 'uvu/assert';
import { until } from '#test/support/until.ts';
import { startReceiver } from '#test/webhooks/support/receiver.ts';
import type { Receiver } from '#test/webhooks/support/receiver.ts';
import { webhookSuite } from '#test/webhooks/support/suite.ts';
import { createToken, createWebhook, deliveriesOf, manage, pageOf } from '#test/webhooks/support/webhooks.ts';

const repeats = webhookSuite('deliveries that are asked for');

const tokensIn = (receiver: Receiver): unknown[] =>
  receiver.messages().map(({ data }) => data['token']?.['id']);

repeats(
  'given events from before a webhook, when they are replayed, then those of the stretch arrive, and again with their ids',
  async ({ service, receiver }) => {
    await createToken(service);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const from = new Date().toISOString();
    const tokens = [await createToken(service), await createToken(service)];
    const { id } = await createWebhook(service, receiver.url);
    for (const round of [1, 2]) {
      const asked = await manage(service, 'POST', `/webhooks/${id}/replay`, { from });
      assert.is(asked.status, 202, JSON.stringify(asked.body));
      await until(() => receiver.received.length === 2 * round);
      await until(async () => (await deliveriesOf(service, id, '?status=delivered')).length === 2);
    }
    assert.equal(tokensIn(receiver).sort(), [...tokens, ...tokens].sort());
    assert.is(new Set(receiver.messages().map((message) => message.id)).size, 2);
    const later = { from, to: new Date(Date.parse(from) - 1).toISOString() };
    assert.is((await manage(service, 'POST', `/webhooks/${id}/replay`, later)).status, 400);
  },
);

repeats(
  'given a delivery that was accepted, when it is asked for again, then it is sent again, and the audit log says so',
  async ({ service, receiver }) => {
    const { id } = await createWebhook(service, receiver.url);
    await createToken(service);
    const [delivery] = await until(async () => {
      const listed = await deliveriesOf(service, id, '?status=delivered');
      return listed.length === 1 && listed;
    });
    const path = `/webhooks/${id}/deliveries/${delivery?.id}/retry`;
    assert.is((await manage(service, 'POST', path)).status, 202);
    await until(() => receiver.received.length === 2);
    assert.is(new Set(receiver.messages().map((message) => message.id)).size, 1);
    const [entry] = await until(async () => {
      const query = `entity_type=webhook&entity_id=${id}&operation=retry&outcome=succeeded`;
      const { body } = await manage<{ data: { actor_id: string; detail: string }[] }>(
        service,
        'GET',
        `/logs?${query}`,
      );
      return body.data.length === 1 && body.data;
    });
    assert.ok(entry !== undefined);
    assert.is(
      (await manage(service, 'POST', path.replace(/[0-9a-f]{12}\/retry/, '000000000000/retry'))).status,
      404,
    );
  },
);

repeats(
  'given many deliveries, when they are listed by a cursor, then each is there once, newest first',
  async ({ service, receiver }) => {
    const { id } = await createWebhook(service, receiver.url);
    for (let count = 0; count < 7; count++) await createToken(service);
    await until(async () => (await deliveriesOf(service, id)).length === 7);
    const seen: string[] = [];
    let start: string | undefined;
    do {
      const page = await pageOf(service, id, `?size=3${start === undefined ? '' : `&start=${start}`}`);
      seen.push(...page.data.map((delivery) => delivery.id));
      start = page.pagination.next;
    } while (start !== undefined);
    assert.is(new Set(seen).size, 7);
    assert.equal(
      seen,
      (await deliveriesOf(service, id)).map((delivery) => delivery.id),
    );
    assert.is((await manage(service, 'GET', `/webhooks/${id}/deliveries?start=nonsense`)).status, 400);
  },
);

repeats(
  'given a webhook, when it is pinged, then the ping arrives there alone',
  async ({ service, receiver }) => {
    const other = await startReceiver();
    const { id } = await createWebhook(service, receiver.url);
    await createWebhook(service, other.url);
    assert.is((await manage(service, 'POST', `/webhooks/${id}/ping`)).status, 202);
    await until(() => receiver.received.length === 1);
    assert.equal(
      receiver.messages().map(({ type, data }) => [type, data]),
      [['webhook.pinged', { webhook: { id } }]],
    );
    await createToken(service);
    await until(() => other.received.length === 1);
    assert.is(other.messages()[0]?.type, 'token.created');
    await other.close();
  },
);

repeats.run();
