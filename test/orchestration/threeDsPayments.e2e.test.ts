import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { act, ask, givenCard, givenConnection, pay } from '#test/orchestration/support/payments.ts';
import type { Problem } from '#test/orchestration/support/payments.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; connection: string };

const payments = suite<Context>('payments with 3-D Secure sessions');

payments.before(async (context) => {
  context.service = await startVaultService();
  context.connection = await givenConnection(context.service);
});
payments.after(({ service }) => service.close());

/** A session of a test card, as far as a buyer got with it. */
async function session(
  service: VaultService,
  last: string,
  until: 'opened' | 'authenticated' | 'completed' | 'cancelled',
): Promise<{ token: string; id: string }> {
  const token = await givenCard(service, { number: `42000000000000${last}` });
  const { body } = await service.call<{ id: string }>('POST', '/3ds/sessions', { token_id: token });
  const path = `/3ds/sessions/${body.id}`;
  if (until !== 'opened') assert.is((await service.call('POST', `${path}/authenticate`, {})).status, 200);
  if (until === 'completed' || until === 'cancelled') {
    const cancelled = until === 'cancelled';
    assert.is((await service.call('POST', `${path}/challenge-result`, { cancelled })).status, 200);
  }
  return { token, id: body.id };
}

const cases = [
  ['02', 'authenticated', 'authorization_succeeded', { status: 'complete', method: 'frictionless' }],
  ['03', 'authenticated', 'authorization_succeeded', { status: 'complete', method: 'frictionless' }],
  ['05', 'authenticated', 'authorization_failed', { status: 'declined', method: 'frictionless' }],
  ['06', 'authenticated', 'authorization_succeeded', { status: 'error', method: 'frictionless' }],
  ['04', 'completed', 'authorization_succeeded', { status: 'complete', method: 'challenge' }],
  ['04', 'cancelled', 'authorization_failed', { status: 'cancelled', method: 'challenge' }],
  ['04', 'authenticated', 'authorization_succeeded', { status: 'setup_error', method: 'challenge' }],
  ['09', 'completed', 'authorization_failed', { status: 'declined', method: 'challenge' }],
] as const;

for (const [last, until, status, summary] of cases) {
  payments(
    `given a session of test card ${last} that is ${until}, when it is paid with, then 3-D Secure is ${summary.status}`,
    async ({ service, connection }) => {
      const { token, id } = await session(service, last, until);
      for (const three_d_session_id of [id, { id }]) {
        const made = await pay(service, { connection_id: connection, token, three_d_session_id });
        assert.equal([made.status, made['three_d_session_id']], [status, id]);
        assert.equal(made['three_d_secure'], { version: '2.2.0', ...summary });
      }
    },
  );
}

payments(
  'given a session that ended with an error, when it is paid with, then its detail and component are objects',
  async ({ service, connection }) => {
    const { token, id } = await session(service, '12', 'authenticated');
    const made = await pay(service, { connection_id: connection, token, three_d_session_id: id });
    const { error_data } = made['three_d_secure'] as { error_data: Record<string, unknown> };
    assert.equal(error_data['code'], '405');
    assert.type(error_data['description'], 'string');
    assert.equal(error_data['component'], { code: 'D', name: 'directory server' });
    assert.type((error_data['detail'] as Record<string, unknown>)['message'], 'string');
    assert.is((await act(service, made.id, 'capture')).body.status, 'capture_succeeded');
  },
);

payments(
  'given a session that nobody authenticated, then it was not set up',
  async ({ service, connection }) => {
    const { token, id } = await session(service, '02', 'opened');
    const made = await pay(service, { connection_id: connection, token, three_d_session_id: id });
    assert.equal(made['three_d_secure'], { status: 'setup_error', method: 'frictionless' });
  },
);

payments(
  'given a session of another card, or a connection that passes none on, when it is paid with, then 400',
  async ({ service, connection }) => {
    const { token, id } = await session(service, '02', 'authenticated');
    const right = { amount: 100, currency: 'USD', connection_id: connection, token, three_d_session_id: id };
    const stripe = await givenConnection(service, {
      connection_formula_id: 'stripe',
      fields: [{ key: 'private_key', value: 'any' }],
    });
    for (const change of [
      { token: await givenCard(service) },
      { connection_id: stripe },
      { three_d_session_id: {} },
      { three_d_session_id: 7 },
    ]) {
      const { status, body } = await ask<Problem>(service, { ...right, ...change });
      assert.is(status, 400, JSON.stringify(change));
      assert.match(Object.keys(body.errors ?? {}).join(), /three_d_session_id/);
    }
  },
);

payments.run();
