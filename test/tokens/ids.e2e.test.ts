import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Token = Record<string, unknown> & { id: string; errors?: Record<string, string[]> };

const ids = suite<{ service: VaultService }>('ids that callers give');

ids.before(async (context) => {
  context.service = await startVaultService();
});
ids.after(({ service }) => service.close());

const create = (service: VaultService, body: object) => service.call<Token>('POST', '/tokens', body);
const card = { type: 'card', data: { number: '4242424242424242' } };
const bank = { type: 'bank', data: { routing_number: '021000021', account_number: '987654321' } };
const ssn = { type: 'social_security_number', data: '123-45-6780' };

ids(
  'given an id that holds what its token keeps, however its digits are parted, then 400 names the id',
  async ({ service }) => {
    for (const body of [
      { ...card, id: '{{ data.number | slice: 0, 8 }}:{{ data.number | slice: 8, 8 }}' },
      { ...card, id: '{{ data.number | slice: 0, 8 }}, then {{ data.number | slice: 8, 8 }}' },
      { ...card, id: 'card 4242x4242x4242x4242' },
      { ...bank, id: '9876 54321' },
      { ...bank, id: 'a9876b54321' },
      { ...ssn, id: '123.45.6780' },
      { type: 'us_bank_account_number', data: '12345', id: 'account 12345' },
    ]) {
      const refused = await create(service, body);
      assert.equal(
        [refused.status, refused.body.errors],
        [400, { id: ['must not contain the data of the token'] }],
        body.id,
      );
    }
  },
);

ids("given an id that holds somebody's card number, then 400 names the id", async ({ service }) => {
  for (const id of [
    '4242.4242.4242.4242',
    '4242_4242_4242_4242',
    '42424242:42424242',
    '2024.4242424242424242',
  ]) {
    const refused = await create(service, { type: 'token', data: 'x', id });
    assert.equal(
      [refused.status, refused.body.errors],
      [400, { id: ['must not contain a card number'] }],
      id,
    );
  }
});

ids(
  'given an id with the clock of its moment, then it is taken whatever its last digit',
  async ({ service }) => {
    for (let digit = 0; digit < 10; digit += 1) {
      const id = `order-179524640406${digit}`;
      assert.is((await create(service, { type: 'token', data: 'x', id })).status, 201);
    }
  },
);

ids('given an id that holds some digits of its token, then it is taken', async ({ service }) => {
  for (const body of [
    { ...card, id: 'card {{ data.number | last4 }} of 2026' },
    { ...card, id: '{{ data.number | alias_card: true, true }}' },
    { ...bank, id: '9876 5432' },
    { ...ssn, id: '123.45 and so on' },
  ]) {
    const created = await create(service, body);
    assert.is(created.status, 201, JSON.stringify(created.body));
  }
});

ids.run();
