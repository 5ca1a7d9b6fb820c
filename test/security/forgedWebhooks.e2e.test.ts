import { Webhook as StandardWebhook } from 'standardwebhooks';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#test/support/until.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { startReceiver } from '#test/webhooks/support/receiver.ts';
import { createToken, createWebhook, startWebhookService } from '#test/webhooks/support/webhooks.ts';

const forged = suite<{ service: VaultService }>('forged webhooks');

forged.before(async (context) => {
  context.service = await startWebhookService();
});
forged.after(({ service }) => service.close());

type Message = { body: string; headers: Record<string, string> };

/** As a receiver looks at it, at a moment that is so many milliseconds later. */
function verifies(secret: string, { body, headers }: Message, later = 0): boolean {
  const { now } = Date;
  Date.now = () => now() + later;
  try {
    new StandardWebhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  } finally {
    Date.now = now;
  }
}

forged(
  'given a message that arrived, when anything of it is changed or it comes late, then its signatures do not verify',
  async ({ service }) => {
    const receiver = await startReceiver();
    const { secret } = await createWebhook(service, receiver.url);
    const { secret: other } = await createWebhook(service, receiver.url);
    await createToken(service);
    const [received] = await until(() => receiver.received.length > 0 && receiver.received);
    await receiver.close();
    assert.ok(received !== undefined);
    const headers = received.headers as Record<string, string>;
    const message = { body: received.body, headers };
    const [right, wrong] = verifies(secret, message) ? [secret, other] : [other, secret];
    assert.ok(verifies(right, message));
    assert.ok(verifies(right, message, 4 * 60_000));
    assert.not.ok(verifies(wrong, message));
    assert.not.ok(verifies(right, message, 6 * 60_000), 'a late repetition was taken');
    const later = String(Number(headers['webhook-timestamp']) + 1);
    const changes: Message[] = [
      { body: message.body.replace('token.created', 'token.deleted'), headers },
      { body: `${message.body} `, headers },
      { body: message.body, headers: { ...headers, 'webhook-timestamp': later } },
      { body: message.body, headers: { ...headers, 'webhook-id': crypto.randomUUID() } },
      { body: message.body, headers: { ...headers, 'webhook-signature': 'v1,' } },
      { body: message.body, headers: { ...headers, 'webhook-signature': 'v0,AAAA' } },
    ];
    for (const change of changes) assert.not.ok(verifies(right, change), JSON.stringify(change.headers));
  },
);

forged.run();
