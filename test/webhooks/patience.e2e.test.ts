import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { retryAfterOf } from '#src/outgoing/retryAfter.ts';
import { until } from '#test/support/until.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { startReceiver } from '#test/webhooks/support/receiver.ts';
import type { Receiver } from '#test/webhooks/support/receiver.ts';
import {
  createToken,
  createWebhook,
  deleteAll,
  deliveriesOf,
  manage,
  startWebhookService,
} from '#test/webhooks/support/webhooks.ts';
import type { Delivery, Webhook } from '#test/webhooks/support/webhooks.ts';

const patience = suite<{ service: VaultService }>('receivers that ask for patience');

patience.before(async (context) => {
  context.service = await startWebhookService([30, 60]);
});
patience.after(({ service }) => service.close());
patience.after.each(({ service }) => deleteAll(service));

const now = new Date('2026-01-01T00:00:00Z');
const longest = 2.5 * 3_600_000;

const asked: readonly [string, number | undefined][] = [
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7_000],
  ['86400', longest],
  ['9'.repeat(30), longest],
  ['9'.repeat(400), longest],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Thu, 01 Jan 2025 00:01:00 GMT', 0],
  ['Thu, 01 Jan 2099 00:01:00 GMT', longest],
  ['Thursday, 01-Jan-26 00:01:00 GMT', 60_000],
  ['Thu Jan  1 00:01:00 2026', 60_000],
  ['-5', undefined],
  ['40.5', undefined],
  ['+40', undefined],
  ['2027', 2_027_000],
  ['2027-01-01', undefined],
  ['Thu, 01 Foo 2026 00:01:00 GMT', undefined],
  ['soon', undefined],
  ['', undefined],
  ['NaN', undefined],
];

for (const [text, milliseconds] of asked) {
  patience(`given Retry-After: ${text.slice(0, 40)}, when it is read, then it is ${milliseconds} ms`, () => {
    assert.is(retryAfterOf([['retry-after', text]], now), milliseconds);
  });
}

type Patient = { receiver: Receiver; webhook: Webhook; delivery: Delivery };

/** A webhook whose receiver wants nothing for two hours, and would accept all from now on. */
async function patientWebhook(service: VaultService): Promise<Patient> {
  const receiver = await startReceiver();
  receiver.answer = (response) => {
    response.writeHead(503, { 'Retry-After': '7200' }).end();
  };
  const webhook = await createWebhook(service, receiver.url);
  await createToken(service);
  const delivery = await until(async () =>
    (await deliveriesOf(service, webhook.id)).find(({ attempts }) => attempts === 1),
  );
  receiver.answer = (response) => {
    response.writeHead(204).end();
  };
  return { receiver, webhook, delivery };
}

patience(
  'given a receiver that wants nothing for hours, when something happens, then it waits until the webhook is changed',
  async ({ service }) => {
    const { receiver, webhook, delivery } = await patientWebhook(service);
    assert.ok(Date.parse(delivery.next_attempt_at ?? '') > Date.now() + 7_000_000);
    await createToken(service);
    await until(async () => (await deliveriesOf(service, webhook.id)).length === 2);
    assert.is(receiver.received.length, 1);
    const { id, name, url, events } = webhook;
    assert.is((await manage(service, 'PUT', `/webhooks/${id}`, { name, url, events })).status, 200);
    await until(async () => (await deliveriesOf(service, id, '?status=delivered')).length === 1);
    await receiver.close();
  },
);

patience(
  'given a receiver that wants nothing for hours, when its delivery is retried, then it is sent at once',
  async ({ service }) => {
    const { receiver, webhook, delivery } = await patientWebhook(service);
    const retry = `/webhooks/${webhook.id}/deliveries/${delivery.id}/retry`;
    assert.is((await manage(service, 'POST', retry)).status, 202);
    await until(async () => (await deliveriesOf(service, webhook.id, '?status=delivered')).length === 1);
    assert.is(receiver.received.length, 2);
    await receiver.close();
  },
);

patience.run();
