import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { loadStream } from '#commands/stream.ts';
import type { Decided } from '#domain/event.ts';
import type { Fold } from '#domain/fold.ts';
import { webhookRequestStream, webhookStream } from '#domain/webhook/events.ts';
import type { WebhookRequestEvent } from '#domain/webhook/events.ts';
import { webhooksFold } from '#domain/webhook/state.ts';
import type { WebhookDeliveries } from '#ports/webhookDeliveries.ts';
import { NotFound, Unprocessable } from '#src/errors.ts';
import { resourceId } from '#src/identifiers.ts';

const requestFold: Fold<undefined, WebhookRequestEvent> = { initial: undefined, evolve: () => undefined };

/** Of a webhook, at a time: each reads the log anew. */
const mostReplays = 5;

export type RequestDependencies = CommandDependencies & {
  webhookDeliveries: Pick<WebhookDeliveries, 'openReplays'>;
};

/** A ping, one delivery again, or what occurred from a moment to before another. */
export type Wanted = 'ping' | { deliveryId: string } | { from: Date; to: Date };

/**
 * Asks for deliveries to one webhook.
 * @throws NotFound, Unprocessable when it is disabled, or has too many replays, Conflicted, Unavailable
 */
export async function requestDeliveries(
  dependencies: RequestDependencies,
  context: CommandContext,
  id: string,
  wanted: Wanted,
): Promise<{ id: string }> {
  const { tenantId, commandId } = context;
  const { state } = await loadStream(dependencies.log, webhookStream(tenantId), webhooksFold);
  const webhook = state.get(id);
  if (webhook === undefined) throw new NotFound();
  if (webhook.status !== 'enabled') throw new Unprocessable('The webhook is disabled: enable it first.');
  if (isReplay(wanted) && (await dependencies.webhookDeliveries.openReplays(tenantId, id)) >= mostReplays) {
    throw new Unprocessable(`The webhook has ${mostReplays} replays that are not done yet.`);
  }
  const requestId = resourceId(commandId, 'webhook request');
  await execute<undefined, WebhookRequestEvent>(dependencies, context, {
    stream: webhookRequestStream(tenantId, requestId),
    fold: requestFold,
    expectNew: true,
    decide: () => [requested(id, requestId, wanted)],
  });
  return { id: requestId };
}

const isReplay = (wanted: Wanted): boolean => typeof wanted === 'object' && 'from' in wanted;

function requested(id: string, requestId: string, wanted: Wanted): Decided<WebhookRequestEvent> {
  if (wanted === 'ping') return { type: 'webhook.pinged', data: { id } };
  if ('deliveryId' in wanted) {
    return { type: 'webhook.delivery.retried', data: { id, delivery_id: wanted.deliveryId } };
  }
  const stretch = { from: wanted.from.toISOString(), to: wanted.to.toISOString() };
  return { type: 'webhook.replay.requested', data: { id, replay_id: requestId, ...stretch } };
}
