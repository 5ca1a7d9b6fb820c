import type { CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { systemContext } from '#commands/systemContext.ts';
import { disableWebhook as decide } from '#domain/webhook/decide.ts';
import { webhookStream } from '#domain/webhook/events.ts';
import { webhooksFold } from '#domain/webhook/state.ts';

/** Takes a webhook out of service to which nothing can be delivered. @throws Conflicted, Unavailable */
export async function disableWebhook(
  dependencies: CommandDependencies,
  { tenantId, id }: { tenantId: string; id: string },
  reason: 'gone' | 'failing',
): Promise<void> {
  await execute(dependencies, systemContext(tenantId, { type: 'system', id: 'webhooks' }), {
    stream: webhookStream(tenantId),
    fold: webhooksFold,
    decide: (webhooks) => decide(webhooks, { id, reason }),
  });
}
