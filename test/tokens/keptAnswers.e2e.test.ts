import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Token = Record<string, unknown> & { id: string };

const kept = suite<{ service: VaultService }>('answers that are kept for idempotency keys');

kept.before(async (context) => {
  context.service = await startVaultService();
});
kept.after(({ service }) => service.close());

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };
const keptAnswers = async (service: VaultService): Promise<number> => {
  const { rows } = await service.composition.pools.owner.query(
    "select from vault.payloads where stream like 'idempotency.%'",
  );
  return rows.length;
};
const twice = async (service: VaultService, path: string, body: unknown, key?: string) => {
  const headers = { 'BT-IDEMPOTENCY-KEY': randomUUID() };
  const options = { headers, ...(key === undefined ? {} : { key }) };
  return [
    await service.call<Token>('POST', path, body, options),
    await service.call<Token>('POST', path, body, options),
  ] as const;
};

kept(
  'given an answer that shows no secret, when the request is repeated, then it comes from where it was kept',
  async ({ service }) => {
    const before = await keptAnswers(service);
    const [first, again] = await twice(service, '/tokens', { type: 'card', data: card });
    assert.equal(again.body, first.body);
    assert.is(await keptAnswers(service), before + 1);
  },
);

kept(
  'given a mask that shows the security code, when the request is repeated, then one token is made and nothing kept',
  async ({ service }) => {
    const before = await keptAnswers(service);
    const mask = { cvc: '{{ data.cvc }}' };
    const [first, again] = await twice(service, '/tokens', { type: 'card', data: card, mask });
    assert.equal([first.status, first.body['data']], [201, { cvc: '123' }]);
    assert.equal(again.body, first.body);
    const [one, other] = await twice(service, '/tokenize', [{ type: 'card', data: card, mask }, 'text']);
    assert.equal(other.body, one.body);
    assert.is(await keptAnswers(service), before);
  },
);

kept(
  'given a match that is shown in the clear, when the request is repeated, then it is shown again and not kept',
  async ({ service }) => {
    const key = await service.ruledKey({
      container: '/',
      transform: 'reveal',
      permissions: ['token:create', 'token:read'],
    });
    const body = { type: 'card', data: { ...card, number: '5555555555554444' }, deduplicate_token: true };
    await service.call('POST', '/tokens', body);
    const before = await keptAnswers(service);
    const [first, again] = await twice(service, '/tokens', body, key);
    assert.equal(first.body['data'], body.data);
    assert.equal(again.body, first.body);
    const { id } = first.body;
    await twice(service, '/detokenize', { value: `{{ ${id} }}` }, key);
    assert.is(await keptAnswers(service), before);
  },
);

kept.run();
