import * as assert from 'uvu/assert';
import type { Reply, VaultService } from '#test/support/vaultService.ts';
import { startVaultService } from '#test/support/vaultService.ts';

export type Webhook = {
  id: string;
  status: string;
  disabled_reason?: string;
  name: string;
  url: string;
  events: string[];
  secret: string;
};

export type Delivery = {
  id: string;
  event_id: string;
  type: string;
  status: string;
  attempts: number;
  outcome?: string;
  response_status?: number;
  duration_ms?: number;
  next_attempt_at?: string;
};

type Page = { pagination: { page_size: number; next?: string }; data: Delivery[] };

/** Retries within moments, to receivers on this machine. */
export const startWebhookService = (delays: readonly number[] = [30, 60, 90, 300]): Promise<VaultService> =>
  startVaultService({
    environment: { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' },
    webhooks: { delays, pollInterval: 10 },
  });

/** Calls as the one who manages the tenant. */
export const manage = <Body = Record<string, never>>(
  service: VaultService,
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply<Body>> => service.call<Body>(method, path, body, { key: service.keys.management });

export async function createWebhook(
  service: VaultService,
  url: string,
  events: readonly string[] = ['token.created'],
): Promise<Webhook> {
  const reply = await manage<Webhook>(service, 'POST', '/webhooks', { name: 'hook', url, events });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

export async function createToken(service: VaultService, data: unknown = 'secret'): Promise<string> {
  const reply = await service.call<{ id: string }>('POST', '/tokens', { type: 'token', data });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.id;
}

export async function deliveriesOf(service: VaultService, id: string, query = ''): Promise<Delivery[]> {
  return (await pageOf(service, id, query)).data;
}

export async function pageOf(service: VaultService, id: string, query = ''): Promise<Page> {
  const reply = await manage<Page>(service, 'GET', `/webhooks/${id}/deliveries${query}`);
  assert.is(reply.status, 200, JSON.stringify(reply.body));
  return reply.body;
}

/** A tenant has five at most. */
export async function deleteAll(service: VaultService): Promise<void> {
  const { body } = await manage<{ data: Webhook[] }>(service, 'GET', '/webhooks');
  for (const { id } of body.data) await manage(service, 'DELETE', `/webhooks/${id}`);
}
