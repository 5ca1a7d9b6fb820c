import { Webhook as StandardWebhook } from 'standardwebhooks';
import type { CommandDependencies } from '#commands/context.ts';
import { loadStream } from '#commands/stream.ts';
import { disableWebhook } from '#commands/webhook/disable.ts';
import { webhookStream } from '#domain/webhook/events.ts';
import { webhooksFold } from '#domain/webhook/state.ts';
import type { MessageSigner } from '#ports/messageSigner.ts';
import type { Outbound, OutboundHeaders } from '#ports/outbound.ts';
import { TenantKeysMissing } from '#ports/vault.ts';
import type { ClaimedDelivery, Endpoint, WebhookSending } from '#ports/webhookSending.ts';
import { isPast } from '#src/expiry.ts';
import { post } from '#src/outgoing/post.ts';
import { serviceSignature } from '#src/outgoing/signature.ts';

export type DeliverSettings = { outbound: Pick<Outbound, 'stream'>; signer: MessageSigner };

/** What the vault has of a webhook may be replaced between the stream and the vault: it is looked for again. */
const attempts = 5;

/** Sends what is to be sent to webhooks. */
export const deliverWebhook = (
  dependencies: CommandDependencies,
  { outbound, signer }: DeliverSettings,
): WebhookSending => ({
  endpoint: (tenantId, webhookId) => endpointOf(dependencies, tenantId, webhookId),
  attempt: async (endpoint, delivery, signal) => {
    const { body } = delivery;
    const headers = [...standardHeaders(endpoint, delivery), ...(await serviceSignature(signer, body))];
    return post(outbound, { tenantId: endpoint.tenantId, url: endpoint.url, headers, body, signal });
  },
  disable: ({ tenantId, webhookId }, reason) =>
    disableWebhook(dependencies, { tenantId, id: webhookId }, reason),
});

async function endpointOf(
  { log, vault, clock }: CommandDependencies,
  tenantId: string,
  webhookId: string,
): Promise<Endpoint | 'disabled'> {
  const stream = webhookStream(tenantId);
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const { state } = await loadStream(log, stream, webhooksFold);
    const webhook = state.get(webhookId);
    if (webhook?.status !== 'enabled') return 'disabled';
    const { payloadId, secretId, previousSecret: previous } = webhook;
    const secretIds = [
      secretId,
      ...(previous === undefined || isPast(previous.until, clock) ? [] : [previous.id]),
    ];
    try {
      const references = [payloadId, ...secretIds].map((id) => ({ id, stream }));
      const payloads = await vault.read(tenantId, references);
      const [target, ...secrets] = await Promise.all(payloads.map(async (payload) => payload?.data()));
      if (target !== undefined && secrets.every((secret) => secret !== undefined)) {
        const { url } = target as { url: string };
        return {
          tenantId,
          webhookId,
          url,
          secrets: (secrets as { secret: string }[]).map((one) => one.secret),
        };
      }
    } catch (error) {
      if (error instanceof TenantKeysMissing) return 'disabled';
      throw error;
    }
  }
  throw new Error('the vault lacks what a webhook needs');
}

/** By the Standard Webhooks specification: signed with each secret, under the time of this attempt. */
function standardHeaders({ secrets }: Endpoint, { eventId, body }: ClaimedDelivery): OutboundHeaders {
  // Receivers compare with their clocks, whatever the service takes the time to be.
  const now = new Date();
  return [
    ['webhook-id', eventId],
    ['webhook-timestamp', String(Math.floor(now.getTime() / 1_000))],
    [
      'webhook-signature',
      secrets.map((secret) => new StandardWebhook(secret).sign(eventId, now, body)).join(' '),
    ],
  ];
}
