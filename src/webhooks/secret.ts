import { randomBytes } from 'node:crypto';
import type { Webhook } from '#domain/webhook/state.ts';
import type { Vault } from '#ports/vault.ts';
import { NotFound } from '#src/errors.ts';
import { readPayload } from '#src/payloads.ts';
import { webhookStream } from '#domain/webhook/events.ts';

/** 32 bytes, in the form of the Standard Webhooks specification. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * The secret of a webhook as it is kept: an earlier run of the command may have made it, so only the vault knows.
 * @throws NotFound when it was replaced or removed meanwhile
 */
export async function storedSecret(
  vault: Pick<Vault, 'read'>,
  { tenantId, secretId }: Pick<Webhook, 'tenantId' | 'secretId'>,
): Promise<string> {
  const stored = await readPayload(vault, tenantId, { id: secretId, stream: webhookStream(tenantId) });
  if (stored === undefined) throw new NotFound();
  return ((await stored.data()) as { secret: string }).secret;
}
