import { sandboxConnection } from '#test/orchestration/support/connections.ts';
import { request } from '#test/support/service.ts';
import type { Credentials } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { codeFor } from '#test/chaos/workloads/invocations.ts';
import type { World } from '#test/chaos/support/world.ts';

type Prepared = Pick<World, 'revealKey' | 'connectionId' | 'cardId' | 'reactorId'>;

/** Makes what the load stands on: an application, a connection, a card, a reactor and a webhook. */
export async function prepare(url: string, credentials: Credentials, outsideUrl: string): Promise<Prepared> {
  const make = async <Body>(key: string, path: string, body: object): Promise<Body> => {
    const answer = await request<Body>({ url }, 'POST', path, { key, body });
    if (answer.status !== 201) {
      throw new Error(`${path} answered ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  };
  const application = await make<{ key: string }>(credentials.management, '/applications', {
    name: 'verifier',
    type: 'private',
    rules: [
      { description: 'all', priority: 1, container: '/', transform: 'reveal', permissions: ['token:read'] },
    ],
  });
  const connection = await make<{ id: string }>(
    credentials.private,
    '/orchestration/connections',
    sandboxConnection,
  );
  const card = await make<{ id: string }>(credentials.private, '/tokens', {
    type: 'card',
    data: { number: '4242424242424242', expiration_month: 12, expiration_year: 2040 },
  });
  const reactor = await make<{ id: string }>(credentials.management, '/reactors', {
    name: 'effect',
    configuration: {},
    code: codeFor(outsideUrl),
  });
  await make(credentials.management, '/webhooks', {
    name: 'outside',
    url: `${outsideUrl}/hook`,
    events: ['token.created'],
  });
  await until(async () => {
    const { body } = await request<{ id: string; status: string }[]>(
      { url },
      'GET',
      '/orchestration/connections',
      { key: credentials.private },
    );
    return body.some(({ id, status }) => id === connection.id && status === 'available');
  });
  return {
    revealKey: application.key,
    connectionId: connection.id,
    cardId: card.id,
    reactorId: reactor.id,
  };
}
