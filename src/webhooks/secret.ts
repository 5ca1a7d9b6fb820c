import { randomBytes } from 'node:crypto';
import type { Webhook } from '#domain/webhook/state.ts';
import type { Vault } from '#ports/vault.ts';
import { NotFound } from '#src/errors.ts';

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
  const stored = (await vault.read(tenantId, [secretId])).get(secretId);
  if (stored === undefined) throw new NotFound();
  return ((await stored.data()) as { secret: string }).secret;
}
