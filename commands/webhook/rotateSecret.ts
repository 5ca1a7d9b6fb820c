import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { rotateSecret as decide } from '#domain/webhook/decide.ts';
import { webhookStream } from '#domain/webhook/events.ts';
import { webhooksFold } from '#domain/webhook/state.ts';
import { NotFound } from '#src/errors.ts';
import { derivedId } from '#src/identifiers.ts';
import { newWebhookSecret, storedSecret } from '#src/webhooks/secret.ts';

export type RotatedSecret = {
  /** Shown this once. */
  secret: string;
  /** ISO 8601; until then the secret before signs, too. */
  previousUntil: string;
};

/**
 * Gives a webhook a new secret; deliveries are signed with both for a while, so that receivers can change over.
 * @param overlap in milliseconds
 * @throws NotFound, Conflicted, Unavailable
 */
export async function rotateSecret(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
  overlap: number,
): Promise<RotatedSecret> {
  const { vault, clock } = dependencies;
  const { tenantId, commandId } = context;
  const stream = webhookStream(tenantId);
  const secretIdAt = (revision: bigint | 'none'): string => derivedId(commandId, stream, revision, 'secret');
  const executed = await execute(dependencies, context, {
    stream,
    fold: webhooksFold,
    decide: async (webhooks, revision) => {
      const secretId = secretIdAt(revision);
      const previousUntil = new Date(clock.now().getTime() + overlap).toISOString();
      const decision = decide(webhooks, { id, secretId, previousUntil });
      if ('refused' in decision) return decision;
      await vault.store({ id: secretId, tenantId, stream, data: { secret: newWebhookSecret() } });
      return decision;
    },
    discard: (revision) => vault.remove(tenantId, [secretIdAt(revision)]),
  });
  const webhook = executed.state.get(id);
  if (webhook?.previousSecret === undefined) throw new NotFound();
  return { secret: await storedSecret(vault, webhook), previousUntil: webhook.previousSecret.until };
}
