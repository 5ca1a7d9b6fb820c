import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { rotateSecret as decide } from '#domain/webhook/decide.ts';
import { webhookStream } from '#domain/webhook/events.ts';
import { webhooksFold } from '#domain/webhook/state.ts';
import { NotFound } from '#src/errors.ts';
import { derivedId } from '#src/identifiers.ts';
import { newWebhookSecret } from '#src/webhooks/secret.ts';

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
  const secretId = derivedId(commandId, stream, 'secret');
  const executed = await execute(dependencies, context, {
    stream,
    fold: webhooksFold,
    decide: async (webhooks) => {
      const previousUntil = new Date(clock.now().getTime() + overlap).toISOString();
      const decision = decide(webhooks, { id, secretId, previousUntil });
      if ('refused' in decision) return decision;
      await vault.store({ id: secretId, tenantId, stream, data: { secret: newWebhookSecret() } });
      return decision;
    },
  });
  const until = executed.state.get(id)?.previousSecret?.until;
  const stored = (await vault.read(tenantId, [secretId])).get(secretId);
  if (until === undefined || stored === undefined) throw new NotFound();
  const { secret } = (await stored.data()) as { secret: string };
  return { secret, previousUntil: until };
}
