import { suite } from 'uvu';
import type { Test } from 'uvu';
import type { VaultService } from '#test/support/vaultService.ts';
import { startReceiver } from '#test/webhooks/support/receiver.ts';
import type { Receiver } from '#test/webhooks/support/receiver.ts';
import { deleteAll, startWebhookService } from '#test/webhooks/support/webhooks.ts';

export type WebhookContext = { service: VaultService; receiver: Receiver };

/** Tests of one service, each with a receiver of its own and no webhooks of others. */
export function webhookSuite(
  name: string,
  ...start: Parameters<typeof startWebhookService>
): Test<WebhookContext> {
  const tests = suite<WebhookContext>(name);
  tests.before(async (context) => {
    context.service = await startWebhookService(...start);
  });
  tests.after(({ service }) => service.close());
  tests.before.each(async (context) => {
    context.receiver = await startReceiver();
  });
  tests.after.each(async ({ service, receiver }) => {
    await deleteAll(service);
    await receiver.close();
  });
  return tests;
}
