import type { AnySubscriber } from '#infra/subscriptions/runner.ts';
import { backlogOf } from '#infra/webhooks/backlog.ts';
import { createWebhookOutbox } from '#infra/webhooks/outbox.ts';
import { createReplayer } from '#infra/webhooks/replays.ts';
import { createWebhookSender } from '#infra/webhooks/sender.ts';
import type { WebhookSender } from '#infra/webhooks/sender.ts';
import { deliverWebhook } from '#src/jobs/deliverWebhook.ts';
import type { Composition } from '#src/main/compose.ts';
import { createWebhookMetrics } from '#src/main/webhookMetrics.ts';
import type { WebhookMetrics } from '#src/main/webhookMetrics.ts';
import { webhookRetryDelays } from '#src/outgoing/schedule.ts';
import { webhookFanOut } from '#subscribers/webhookFanOut.ts';
import { webhookRemoval } from '#subscribers/webhookRemoval.ts';

export type WebhookSettings = {
  /** Pauses before deliveries are tried again, in milliseconds. */
  delays?: readonly number[];
  /** See the sender. */
  pollInterval?: number;
  grace?: number;
};

export type WebhookWork = {
  subscribers: readonly AnySubscriber[];
  sender: WebhookSender;
  metrics: WebhookMetrics['registry'];
};

/** What a worker does for webhooks. */
export function webhookWork(
  composition: Composition,
  { delays = webhookRetryDelays, ...settings }: WebhookSettings,
): WebhookWork {
  const { pools, log, vault, connection, logger, outbound, messageSigner: signer } = composition;
  const { registry: metrics, observe } = createWebhookMetrics(() => backlogOf(pools.owner));
  return {
    metrics,
    subscribers: [webhookFanOut({ log, outbox: createWebhookOutbox() }), webhookRemoval(vault)],
    sender: createWebhookSender({
      ...settings,
      pool: pools.owner,
      connection,
      sending: deliverWebhook(composition, { outbound, signer }),
      logger,
      delays,
      observe,
      advance: createReplayer({ pool: pools.owner, log }),
    }),
  };
}
