import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { loadStream } from '#commands/stream.ts';
import type { Fold } from '#domain/fold.ts';
import { webhookRequestStream, webhookStream } from '#domain/webhook/events.ts';
import type { WebhookRequestEvent } from '#domain/webhook/events.ts';
import { webhooksFold } from '#domain/webhook/state.ts';
import { NotFound, Unprocessable } from '#src/errors.ts';
import { resourceId } from '#src/identifiers.ts';

const requestFold: Fold<undefined, WebhookRequestEvent> = { initial: undefined, evolve: () => undefined };

/** A stretch of time: from the first moment to before the second. */
export type Stretch = { from: Date; to: Date };

/**
 * Asks for deliveries to one webhook: of a ping, or of what occurred in a stretch of time again.
 * @throws NotFound, Unprocessable when it is disabled, Conflicted, Unavailable
 */
export async function requestDeliveries(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
  stretch?: Stretch,
): Promise<{ id: string }> {
  const { tenantId, commandId } = context;
  const { state } = await loadStream(dependencies.log, webhookStream(tenantId), webhooksFold);
  const webhook = state.get(id);
  if (webhook === undefined) throw new NotFound();
  if (webhook.status !== 'enabled') throw new Unprocessable('The webhook is disabled: enable it first.');
  const requestId = resourceId(commandId, 'webhook request');
  await execute<undefined, WebhookRequestEvent>(dependencies, context, {
    stream: webhookRequestStream(tenantId, requestId),
    fold: requestFold,
    expectNew: true,
    decide: () => [stretch === undefined ? ping(id) : replay(id, requestId, stretch)],
  });
  return { id: requestId };
}

const ping = (id: string) => ({ type: 'webhook.pinged' as const, data: { id } });

const replay = (id: string, replayId: string, { from, to }: Stretch) => ({
  type: 'webhook.replay.requested' as const,
  data: { id, replay_id: replayId, from: from.toISOString(), to: to.toISOString() },
});
