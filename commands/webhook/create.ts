import type { CommandContext } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { checkContent } from '#commands/webhook/content.ts';
import type { WebhookDependencies, WebhookInput } from '#commands/webhook/content.ts';
import { createWebhook as decide } from '#domain/webhook/decide.ts';
import { webhookStream } from '#domain/webhook/events.ts';
import { webhooksFold } from '#domain/webhook/state.ts';
import { NotFound } from '#src/errors.ts';
import { derivedId, resourceId } from '#src/identifiers.ts';
import { storedTarget } from '#src/webhooks/content.ts';
import type { WebhookWithTarget } from '#src/webhooks/content.ts';
import { newWebhookSecret, storedSecret } from '#src/webhooks/secret.ts';

/** A webhook and its secret, which is shown this once. */
export type NewWebhook = WebhookWithTarget & { secret: string };

/**
 * Creates a webhook. Source: reference of webhooks.
 * @throws ValidationFailed, Unprocessable when there are too many, Conflicted, Unavailable
 */
export async function createWebhook(
  dependencies: WebhookDependencies,
  context: CommandContext,
  input: WebhookInput,
): Promise<NewWebhook> {
  const events = checkContent(dependencies, context, input);
  const { vault } = dependencies;
  const { tenantId, commandId } = context;
  const id = resourceId(commandId, 'webhook');
  const stream = webhookStream(tenantId);
  const idsAt = (revision: bigint | 'none') => ({
    payloadId: derivedId(commandId, stream, revision, 'target'),
    secretId: derivedId(commandId, stream, revision, 'secret'),
  });
  const target = { url: input.url, ...(input.notify_email ? { notifyEmail: input.notify_email } : {}) };
  const executed = await execute(dependencies, context, {
    stream,
    fold: webhooksFold,
    decide: async (webhooks, revision) => {
      const { payloadId, secretId } = idsAt(revision);
      const decision = decide(webhooks, { id, name: input.name, events, payloadId, secretId });
      if ('refused' in decision) return decision;
      // What is stored again under its id stays as it was.
      await vault.storeAll([
        { id: payloadId, tenantId, stream, data: storedTarget(target) },
        { id: secretId, tenantId, stream, data: { secret: newWebhookSecret() } },
      ]);
      return decision;
    },
    discard: (revision) => vault.remove(tenantId, Object.values(idsAt(revision))),
  });
  const record = executed.state.get(id);
  if (record === undefined) throw new NotFound();
  return { record, target, secret: await storedSecret(vault, record) };
}
