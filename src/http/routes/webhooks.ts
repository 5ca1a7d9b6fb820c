import Type from 'typebox';
import { createWebhook } from '#commands/webhook/create.ts';
import type { WebhookDependencies } from '#commands/webhook/content.ts';
import { deleteWebhook } from '#commands/webhook/delete.ts';
import { rotateSecret } from '#commands/webhook/rotateSecret.ts';
import { updateWebhook } from '#commands/webhook/update.ts';
import { webhookKinds } from '#domain/webhook/kinds.ts';
import { presentWebhook, presentWebhooks } from '#http/presenters/webhook.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { commandContext } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { stretched } from '#http/schemas/pagination.ts';
import {
  CreatedWebhook,
  CreateWebhook,
  RotatedSecret,
  RotateSecret,
  UpdateWebhook,
  Webhook,
} from '#http/schemas/webhook.ts';
import { getWebhook, listWebhooks } from '#queries/webhook/get.ts';

const tags = ['Webhooks'];
const audits = { entity: 'webhook' } as const;
/** When nobody says otherwise, in seconds. */
const overlap = 86_400;

/** Source: reference of webhooks. */
export const webhookRoutes = (dependencies: RouteDependencies & WebhookDependencies): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook',
    description: 'At most five a tenant. It hears of what is written from then on.',
    tags,
    permission: 'webhook:create',
    audits,
    // The answer holds the secret.
    sensitive: true,
    body: CreateWebhook,
    responses: { 201: CreatedWebhook },
    problems: [422],
    handle: async (request) => {
      const created = await createWebhook(dependencies, commandContext(request), request.body);
      return { status: 201, body: { ...presentWebhook(created), secret: created.secret } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/webhooks',
    summary: 'List webhooks, oldest first',
    tags,
    permission: 'webhook:read',
    audits,
    responses: { 200: stretched(Webhook) },
    handle: async ({ caller }) => ({
      status: 200,
      body: presentWebhooks(await listWebhooks(dependencies, caller.tenantId)),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/webhooks/event-types',
    summary: 'List the events that a webhook can be told of',
    tags,
    permission: 'webhook:read',
    audits,
    responses: { 200: Type.Array(Type.String()) },
    handle: () => Promise.resolve({ status: 200, body: webhookKinds }),
  }),
  defineRoute({
    method: 'GET',
    path: '/webhooks/:id',
    summary: 'Get a webhook',
    tags,
    permission: 'webhook:read',
    audits,
    responses: { 200: Webhook },
    handle: async ({ caller, params }) => ({
      status: 200,
      body: presentWebhook(await getWebhook(dependencies, caller.tenantId, params.id)),
    }),
  }),
  defineRoute({
    method: 'PUT',
    path: '/webhooks/:id',
    summary: 'Update a webhook',
    description: 'Replaces it whole, but for its secret; without `status` it keeps the one it has.',
    tags,
    permission: 'webhook:update',
    audits,
    body: UpdateWebhook,
    responses: { 200: Webhook },
    problems: [409],
    handle: async (request) => {
      const { params, body } = request;
      const updated = await updateWebhook(dependencies, commandContext(request), params.id, body);
      return { status: 200, body: presentWebhook(updated) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/webhooks/:id',
    summary: 'Delete a webhook, and what is waiting to be sent to it',
    tags,
    permission: 'webhook:delete',
    audits,
    responses: { 204: null },
    problems: [409],
    handle: async (request) => {
      await deleteWebhook(dependencies, commandContext(request), request.params.id);
      return { status: 204 };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks/:id/rotate-secret',
    summary: 'Give a webhook a new secret',
    tags,
    permission: 'webhook:update',
    audits: { ...audits, operation: 'rotate' },
    sensitive: true,
    body: RotateSecret,
    bodyOptional: true,
    responses: { 200: RotatedSecret },
    problems: [404, 409],
    handle: async (request) => {
      const { params, body } = request;
      const seconds = body.overlap_seconds ?? overlap;
      const rotated = await rotateSecret(dependencies, commandContext(request), params.id, seconds * 1_000);
      return {
        status: 200,
        body: { secret: rotated.secret, previous_secret_expires_at: rotated.previousUntil },
      };
    },
  }),
];
