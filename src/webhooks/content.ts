import type { Webhook } from '#domain/webhook/state.ts';
import type { Vault } from '#ports/vault.ts';
import { webhookStream } from '#domain/webhook/events.ts';
import { withPayloads } from '#src/payloads.ts';

/** Where a webhook delivers. It lies in the vault: a URL may hold a key, and the address is somebody's. */
export type WebhookTarget = { url: string; notifyEmail?: string };

export type WebhookWithTarget = { record: Webhook; target: WebhookTarget };

/** Webhooks of one tenant with what the vault has of them; those that were changed or deleted meanwhile are left out. */
export async function withTargets(
  vault: Pick<Vault, 'read'>,
  tenantId: string,
  webhooks: readonly Webhook[],
): Promise<WebhookWithTarget[]> {
  if (webhooks.length === 0) return [];
  const found = await withPayloads(vault, tenantId, webhooks, webhookStream);
  return found.map(({ record, data }) => ({ record, target: targetOf(data) }));
}

type Stored = { url: string; notify_email?: string };

function targetOf(data: unknown): WebhookTarget {
  const { url, notify_email } = data as Stored;
  return { url, ...(notify_email === undefined ? {} : { notifyEmail: notify_email }) };
}

/** As it lies in the vault: its members never change their meaning. */
export const storedTarget = ({ url, notifyEmail }: WebhookTarget): Stored => ({
  url,
  ...(notifyEmail === undefined ? {} : { notify_email: notifyEmail }),
});
