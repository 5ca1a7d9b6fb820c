import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { deleteWebhook as decide } from '#domain/webhook/decide.ts';
import { webhookStream } from '#domain/webhook/events.ts';
import { webhooksFold } from '#domain/webhook/state.ts';

/**
 * Deletes a webhook; subscribers then remove what the vault and the deliveries have of it.
 * @throws NotFound, Conflicted, Unavailable
 */
export async function deleteWebhook(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<void> {
  await execute(dependencies, context, {
    stream: webhookStream(context.tenantId),
    fold: webhooksFold,
    decide: (webhooks) => decide(webhooks, id),
  });
}
