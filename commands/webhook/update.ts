import type { CommandContext } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { checkContent } from '#commands/webhook/content.ts';
import type { WebhookDependencies, WebhookInput } from '#commands/webhook/content.ts';
import { updateWebhook as decide } from '#domain/webhook/decide.ts';
import { webhookStream } from '#domain/webhook/events.ts';
import type { WebhookStatus } from '#domain/webhook/events.ts';
import { webhooksFold } from '#domain/webhook/state.ts';
import { NotFound } from '#src/errors.ts';
import { derivedId } from '#src/identifiers.ts';
import { storedTarget } from '#src/webhooks/content.ts';
import type { WebhookWithTarget } from '#src/webhooks/content.ts';

/**
 * Replaces a webhook whole, but for its secret; without a status it keeps the one it has.
 * Source: reference of webhooks. @throws ValidationFailed, NotFound, Conflicted, Unavailable
 */
export async function updateWebhook(
  dependencies: WebhookDependencies,
  context: CommandContext,
  id: string,
  input: WebhookInput & { status?: WebhookStatus | null },
): Promise<WebhookWithTarget> {
  const events = checkContent(dependencies, context, input);
  const { vault } = dependencies;
  const { tenantId, commandId } = context;
  const stream = webhookStream(tenantId);
  const payloadIdAt = (revision: bigint | 'none'): string => derivedId(commandId, stream, revision, 'target');
  const target = { url: input.url, ...(input.notify_email ? { notifyEmail: input.notify_email } : {}) };
  const executed = await execute(dependencies, context, {
    stream,
    fold: webhooksFold,
    decide: async (webhooks, revision) => {
      const webhook = webhooks.get(id);
      if (webhook === undefined) throw new NotFound();
      const payloadId = payloadIdAt(revision);
      await vault.store({ id: payloadId, tenantId, stream, data: storedTarget(target) });
      const status = input.status ?? webhook.status;
      return decide(webhooks, { id, name: input.name, events, status, payloadId });
    },
    discard: (revision) => vault.remove(tenantId, [payloadIdAt(revision)]),
  });
  const record = executed.state.get(id);
  if (record === undefined) throw new NotFound();
  return { record, target };
}
