import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { payloads } from '#test/orchestration/support/connections.ts';
import { later } from '#test/orchestration/support/later.ts';
import { act, ask, givenCard, givenConnection, pay, read } from '#test/orchestration/support/payments.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const deleted = suite<{ service: VaultService }>('payments of deleted connections');
/** Its answer is lost, and the provider knows of it when it is asked. */
const lostAnswer = 600_004;
const minute = 60_000;

deleted.before(async (context) => {
  context.service = await startVaultService();
});
deleted.after(({ service }) => service.close());

const remove = async ({ call }: VaultService, id: string): Promise<void> => {
  assert.is((await call('DELETE', `/orchestration/connections/${id}`)).status, 204);
};

deleted(
  'given a payment that is under way, when its connection is deleted, then it is seen through before the fields go',
  async ({ service }) => {
    const connection = await givenConnection(service);
    const common = { connection_id: connection, token: await givenCard(service) };
    const { id, status } = await pay(service, { ...common, amount: lostAnswer });
    assert.is(status, 'processing');
    await remove(service, connection);
    assert.is((await ask(service, { amount: 1, currency: 'USD', ...common })).status, 404);
    await later(service, 11 * minute).forget();
    assert.is((await payloads(service, connection)).length, 1);
    await later(service, minute).reconcile();
    assert.is((await read(service, id)).status, 'authorization_succeeded');
    await later(service, 9 * minute).forget();
    assert.is((await payloads(service, connection)).length, 1, 'a request may still be at it');
    await later(service, 11 * minute).forget();
    await until(async () => (await payloads(service, connection)).length === 0);
    assert.is((await act(service, id, 'void')).status, 409);
    assert.is((await read(service, id)).status, 'authorization_succeeded');
  },
);

deleted(
  'given a call that nobody ever answers, when a month has passed, then it keeps no fields any more',
  async ({ service }) => {
    const connection = await givenConnection(service);
    await pay(service, { connection_id: connection, token: await givenCard(service), amount: lostAnswer });
    await remove(service, connection);
    await later(service, 31 * 24 * 60 * minute).forget();
    await until(async () => (await payloads(service, connection)).length === 0);
  },
);

deleted.run();
