import { foldStream } from '#domain/fold.ts';
import { webhookStream } from '#domain/webhook/events.ts';
import { webhooksFold } from '#domain/webhook/state.ts';
import type { Webhook } from '#domain/webhook/state.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { NotFound } from '#src/errors.ts';
import { withTargets } from '#src/webhooks/content.ts';
import type { WebhookWithTarget } from '#src/webhooks/content.ts';

type Dependencies = Pick<QueryDependencies, 'log' | 'vault'>;

/** A replaced payload is looked for this often: the stream has named the next one by then. */
const attempts = 3;

/** The webhooks of a tenant, oldest first. There are so few that their stream is their view. */
export async function listWebhooks(
  { log, vault }: Dependencies,
  tenantId: string,
  id?: string,
): Promise<WebhookWithTarget[]> {
  for (let attempt = 1; ; attempt++) {
    const all = foldStream(webhooksFold, await log.readStream(webhookStream(tenantId)));
    const webhooks = [...all.values()].filter((webhook) => id === undefined || webhook.id === id);
    const found = await withTargets(vault, tenantId, webhooks);
    if (found.length === webhooks.length || attempt === attempts) return found;
  }
}

/** One webhook. @throws NotFound */
export async function getWebhook(
  dependencies: Dependencies,
  tenantId: string,
  id: string,
): Promise<WebhookWithTarget> {
  const [found] = await listWebhooks(dependencies, tenantId, id);
  if (found === undefined) throw new NotFound();
  return found;
}

/** One webhook without what the vault has of it. @throws NotFound */
export async function requireWebhook(
  { log }: Pick<Dependencies, 'log'>,
  tenantId: string,
  id: string,
): Promise<Webhook> {
  const webhook = foldStream(webhooksFold, await log.readStream(webhookStream(tenantId))).get(id);
  if (webhook === undefined) throw new NotFound();
  return webhook;
}
