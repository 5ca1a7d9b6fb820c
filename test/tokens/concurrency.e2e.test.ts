import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Token = { id: string; data: Record<string, unknown>; metadata: Record<string, string> };

const concurrency = suite<{ service: VaultService }>('concurrent updates of a token');

concurrency.before(async (context) => {
  context.service = await startVaultService();
});
concurrency.after(({ service }) => service.close());

const atOnce = 12;
const fields = Array.from({ length: atOnce }, (_, index) => `field${index}`);

async function changeAll(service: VaultService, body: object, change: object): Promise<Token> {
  const mask = Object.fromEntries(fields.map((name) => [name, `{{ data.${name} }}`]));
  const created = await service.call<Token>('POST', '/tokens', { ...body, mask });
  const { id } = created.body;
  const replies = await Promise.all(
    fields.map((name) =>
      service.call('PATCH', `/tokens/${id}`, {
        data: { [name]: name },
        metadata: { [name]: name },
        ...change,
      }),
    ),
  );
  assert.equal(
    replies.map(({ status }) => status),
    fields.map(() => 200),
  );
  await until(async () => (await payloadsOf(service, id)) === 1);
  return (await service.call<Token>('GET', `/tokens/${id}`)).body;
}

const everything = Object.fromEntries(fields.map((name) => [name, name]));

/** Of the payloads that decisions stored for a token, all but one are removed again. */
async function payloadsOf(service: VaultService, id: string): Promise<number> {
  const { rows } = await service.composition.pools.owner.query<{ count: string }>(
    'select count(*) from vault.payloads where stream like $1',
    [`%${id}`],
  );
  return Number(rows[0]?.count);
}

concurrency(
  'given a dozen changes at once, when each has a field, then none is lost',
  async ({ service }) => {
    const token = await changeAll(service, { type: 'token', data: {} }, {});
    assert.equal(token.data, everything);
    assert.equal(token.metadata, everything);
  },
);

concurrency(
  'given a dozen changes at once that are to be deduplicated, when none has a twin, then none is lost',
  async ({ service }) => {
    const body = { type: 'card', data: { number: '4242424242424242' } };
    const token = await changeAll(service, body, { deduplicate_token: true });
    assert.equal(token.data, everything);
  },
);

concurrency.run();
