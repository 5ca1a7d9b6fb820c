import * as assert from 'uvu/assert';
import { accept, invite } from '#test/members/support/people.ts';
import { until } from '#test/support/until.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Named = { id: string };

/** The ids of one of everything that a tenant may have. */
export type Owned = {
  token: string;
  application: string;
  key: string;
  nonce: string;
  invitation: string;
  member: string;
  reactor: string;
  proxy: string;
  /** An asynchronous invocation of the reactor. */
  invocation: string;
  connection: string;
  transaction: string;
  refund: string;
  threeDs: string;
  job: string;
  webhook: string;
  /** Of the webhook. */
  delivery: string;
};

/** Requests for two of them, which are right. */
export const connection = {
  connection_formula_id: 'sandbox-card',
  method: 'card',
  display_name: 'mine',
  fields: [{ key: 'merchant_id', value: 'any' }],
  accepted_countries: ['US'],
  accepted_currencies: ['USD'],
  active: true,
};

export const proxied = {
  name: 'mine',
  destination_url: 'https://example.com/',
  configuration: { secret: 'mine' },
};

/** The values that the estate keeps and shows nobody, and how an invitation is accepted where it is furnished. */
export type Furnishing = {
  data: string;
  /** Of a card. */
  number: string;
  /** Of the reactor and the proxy. */
  configuration: string;
  accept: (invitationId: string) => Promise<Named>;
};

/** Makes one of everything in the tenant of a service that may call 127.0.0.1. */
export const furnish = (service: VaultService): Promise<Owned> =>
  furnishBy(service, {
    data: 'mine',
    number: '4200000000000004',
    configuration: 'mine',
    accept: (invitationId) => accept(service, invitationId),
  });

/** Makes one of everything, with these values, also in a service that is a process of its own. */
export async function furnishBy(
  service: Pick<VaultService, 'call' | 'keys'>,
  furnishing: Furnishing,
): Promise<Owned> {
  const { call, keys } = service;
  const management = { key: keys.management };
  const made = <Body = Named>(reply: Reply<Body>): Body => {
    assert.is(reply.status, 201, JSON.stringify(reply.body));
    return reply.body;
  };
  const application = made(
    await call<Named & { keys: Named[] }>(
      'POST',
      '/applications',
      { name: 'mine', type: 'private', permissions: ['token:read'] },
      management,
    ),
  );
  const session = made(await call<{ nonce: string }>('POST', '/sessions', undefined, { key: keys.public }));
  const token = made(await call<Named>('POST', '/tokens', { type: 'token', data: furnishing.data }));
  const configured = {
    name: 'mine',
    code: 'module.exports = () => ({ raw: 1 })',
    configuration: { secret: furnishing.configuration },
  };
  const reactor = { ...configured, application: { id: application.id } };
  const { id: reactorId } = made(await call<Named>('POST', '/reactors', reactor, management));
  const asked = await call<{ asyncReactorRequestId: string }>(
    'POST',
    `/reactors/${reactorId}/react-async`,
    {},
  );
  assert.is(asked.status, 202);
  const ended = async () =>
    (await call('GET', `/reactors/${reactorId}/results/${asked.body.asyncReactorRequestId}`)).status === 200;
  await until(ended);
  const cardData = { number: furnishing.number, expiration_month: 12, expiration_year: 2030 };
  const card = made(await call<Named>('POST', '/tokens', { type: 'card', data: cardData }));
  const connectionId = made(await call<Named>('POST', '/orchestration/connections', connection)).id;
  const payment = { amount: 1050, currency: 'USD', intent: 'capture', connection_id: connectionId };
  const transaction = made(
    await call<Named>('POST', '/orchestration/transactions', { ...payment, token: card.id }),
  );
  const refunds = `/orchestration/transactions/${transaction.id}/refunds`;
  const hook = { name: 'mine', url: 'https://127.0.0.1:1/', events: ['token.created'] };
  const webhook = made(await call<Named>('POST', '/webhooks', hook, management)).id;
  assert.is((await call('POST', `/webhooks/${webhook}/ping`, undefined, management)).status, 202);
  const deliveries = () =>
    call<{ data: Named[] }>('GET', `/webhooks/${webhook}/deliveries`, undefined, management);
  const delivery = await until(async () => (await deliveries()).body.data[0]?.id);
  const keptProxy = { ...proxied, configuration: { secret: furnishing.configuration } };
  return {
    job: made(await call<Named>('POST', '/account-updater/jobs')).id,
    webhook,
    delivery,
    token: token.id,
    application: application.id,
    key: application.keys[0]?.id ?? '',
    nonce: session.nonce,
    invitation: (await invite(service, 'invited@example.com')).id,
    member: (await furnishing.accept((await invite(service, 'member@example.com')).id)).id,
    reactor: reactorId,
    proxy: made(await call<Named>('POST', '/proxies', keptProxy, management)).id,
    invocation: asked.body.asyncReactorRequestId,
    threeDs: made(await call<Named>('POST', '/3ds/sessions', { token_id: card.id })).id,
    connection: connectionId,
    transaction: transaction.id,
    refund: made(await call<Named>('POST', refunds, {})).id,
  };
}
