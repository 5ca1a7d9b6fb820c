import Type from 'typebox';
import { requestDeliveries } from '#commands/webhook/request.ts';
import { deliveryPlaceOf } from '#http/cursor.ts';
import { momentOf } from '#http/moment.ts';
import { presentDeliveries } from '#http/presenters/webhook.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { commandContext } from '#http/routes/dependencies.ts';
import type { RouteDependencies } from '#http/routes/dependencies.ts';
import { Accepted } from '#http/schemas/accepted.ts';
import { stretched } from '#http/schemas/pagination.ts';
import { deliveriesQuery, ReplayWebhook, WebhookDelivery, WebhookRequest } from '#http/schemas/webhook.ts';
import { invalid } from '#http/validation/faults.ts';
import type { MessageSigner } from '#ports/messageSigner.ts';
import type { WebhookDeliveries } from '#ports/webhookDeliveries.ts';
import { requireWebhook } from '#queries/webhook/get.ts';
import { NotFound } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';

const tags = ['Webhooks'];
const audits = { entity: 'webhook' } as const;

export type WebhookDeliveryDependencies = RouteDependencies & {
  webhookDeliveries: WebhookDeliveries;
  messageSigner: MessageSigner;
};

/** What was sent to webhooks, and what is to be sent again. */
const pem = 'application/x-pem-file';

export const webhookDeliveryRoutes = (dependencies: WebhookDeliveryDependencies): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/webhooks/:id/ping',
    summary: 'Send a message that says nothing',
    description: 'Of type `webhook.pinged`, to this webhook alone, whatever events it wants.',
    tags,
    permission: 'webhook:update',
    audits: { ...audits, operation: 'ping' },
    responses: { 202: Accepted },
    problems: [404, 422],
    handle: async (request) => {
      await requestDeliveries(dependencies, commandContext(request), request.params.id, 'ping');
      return { status: 202, body: {} };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    summary: 'List what was sent, or is to be, newest first',
    description: 'Deliveries that ended are kept for 30 days; what they told can be replayed.',
    tags,
    permission: 'webhook:read',
    audits,
    query: Type.Object(deliveriesQuery),
    responses: { 200: stretched(WebhookDelivery) },
    handle: async ({ caller, params, query: { status, start, size } }) => {
      await requireWebhook(dependencies, caller.tenantId, params.id);
      const after = start === undefined ? undefined : deliveryPlaceOf(start);
      const wanted = { status, after, size: size + 1 };
      const found = await dependencies.webhookDeliveries.list(caller.tenantId, params.id, wanted);
      return { status: 200, body: presentDeliveries(found, size) };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks/:id/deliveries/:deliveryId/retry',
    summary: 'Send a delivery again, at once',
    description: 'Also one that was accepted. It has all its attempts before it.',
    tags,
    permission: 'webhook:update',
    audits: { ...audits, operation: 'retry' },
    responses: { 202: Accepted },
    problems: [404, 422],
    handle: async (request) => {
      const { id, deliveryId } = request.params;
      const { tenantId } = request.caller;
      const isThere =
        isUuid(id) &&
        isUuid(deliveryId) &&
        (await dependencies.webhookDeliveries.has(tenantId, id, deliveryId));
      if (!isThere) throw new NotFound();
      await requestDeliveries(dependencies, commandContext(request), id, { deliveryId });
      return { status: 202, body: {} };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/webhooks/:id/replay',
    summary: 'Send what happened in a stretch of time, again or for the first time',
    description:
      'All events that the webhook wants by now, also from before it was created. Messages keep their ids. At most five replays at a time.',
    tags,
    permission: 'webhook:update',
    audits: { ...audits, operation: 'replay' },
    body: ReplayWebhook,
    responses: { 202: WebhookRequest },
    problems: [404, 422],
    handle: async (request) => {
      const { body, params } = request;
      const from = momentOf('from', body.from);
      const to = body.to === undefined ? dependencies.clock.now() : momentOf('to', body.to);
      if (to <= from) throw invalid('to', 'must be after from');
      const asked = await requestDeliveries(dependencies, commandContext(request), params.id, { from, to });
      return { status: 202, body: asked };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/keys/webhooks.v1.key',
    summary: 'Get the public key that BT-SIGNATURE is verified by',
    description: 'RSA-PSS with SHA-256, as PEM.',
    tags,
    authenticated: false,
    responses: { 200: Type.String() },
    answerType: pem,
    handle: async () => ({
      status: 200,
      content: { type: pem, data: await dependencies.messageSigner.publicKey() },
    }),
  }),
];
