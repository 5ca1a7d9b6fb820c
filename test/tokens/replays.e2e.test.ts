import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Token = { id: string; data?: unknown; detail?: string };

let service: VaultService;
const replays = suite('answers that are given again');

replays.before(async () => {
  service = await startVaultService();
});
replays.after(() => service.close());

const body = { type: 'token', data: 'a secret', mask: '{{ data | reveal_last: 2 }}' };
const post = (key: string, idempotencyKey: string, path = '/tokens', given: unknown = body) =>
  service.call<Token>('POST', path, given, { key, headers: { 'BT-IDEMPOTENCY-KEY': idempotencyKey } });

async function session(rights: object): Promise<string> {
  const opened = await service.call<{ session_key: string; nonce: string }>('POST', '/sessions', undefined, {
    key: service.keys.public,
  });
  const vouched = await service.call('POST', '/sessions/authorize', { nonce: opened.body.nonce, ...rights });
  assert.is(vouched.status, 200);
  return opened.body.session_key;
}

replays(
  'given a token that was deleted, when its creation is repeated, then it is not shown again',
  async () => {
    const once = randomUUID();
    const made = await post(service.keys.private, once);
    assert.is((await post(service.keys.private, once)).body.data, 'XXXXXXet');
    await service.call('DELETE', `/tokens/${made.body.id}`);
    const again = await post(service.keys.private, once);
    assert.is(again.status, 404);
    assert.is(again.body.data, undefined);
  },
);

replays('given rights that were lost, when a creation is repeated, then it is not shown again', async () => {
  const management = { key: service.keys.management };
  const made = await service.call<{ id: string; key: string }>(
    'POST',
    '/applications',
    { name: 'a', type: 'private', permissions: ['token:create'] },
    management,
  );
  const [token, several] = [randomUUID(), randomUUID()];
  const shown = await post(made.body.key, token);
  assert.is(shown.body.data, 'XXXXXXet');
  const tokenized = await post(made.body.key, several, '/tokenize', { a: body });
  const rule = { priority: 1, permissions: ['token:create'] };
  const update = async (rules: object[]): Promise<void> => {
    const reply: Reply = await service.call(
      'PUT',
      `/applications/${made.body.id}`,
      { name: 'a', rules },
      management,
    );
    assert.is(reply.status, 200);
  };
  for (const rights of [
    { ...rule, container: '/zzz/', transform: 'mask' },
    { ...rule, container: '/', transform: 'redact' },
  ]) {
    await update([rights]);
    assert.is((await post(made.body.key, token)).status, 403);
    assert.is((await post(made.body.key, several, '/tokenize', { a: body })).status, 403);
  }
  await update([{ ...rule, container: '/general/', transform: 'mask' }]);
  assert.equal((await post(made.body.key, token)).body, shown.body);
  const again = await post(made.body.key, several, '/tokenize', { a: body });
  assert.equal(again.body, tokenized.body);
});

replays('given a deleted token whose answer was not kept, then no other is made for the key', async () => {
  const once = randomUUID();
  const given = {
    type: 'card',
    data: { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' },
    mask: { code: '{{ data.cvc }}' },
  };
  const made = await post(service.keys.private, once, '/tokens', given);
  assert.is(made.status, 201);
  await service.call('DELETE', `/tokens/${made.body.id}`);
  for (let time = 0; time < 3; time++) {
    assert.is((await post(service.keys.private, once, '/tokens', given)).status, 404);
  }
});

replays(
  'given a rule that redacts, when the right is lost, then metadata is not shown again either',
  async () => {
    const management = { key: service.keys.management };
    const rule = { priority: 1, transform: 'redact', permissions: ['token:update'] };
    const made = await service.call<{ id: string; key: string }>(
      'POST',
      '/applications',
      { name: 'a', type: 'private', rules: [{ ...rule, container: '/general/' }] },
      management,
    );
    const token = await service.call<Token>('POST', '/tokens', { ...body, metadata: { mine: 'x' } });
    const patch = () =>
      service.call(
        'PATCH',
        `/tokens/${token.body.id}`,
        { metadata: { k: '1' } },
        {
          key: made.body.key,
          headers: { 'BT-IDEMPOTENCY-KEY': 'patch' },
        },
      );
    assert.is((await patch()).status, 200);
    assert.is((await patch()).status, 200);
    const rules = [{ ...rule, container: '/elsewhere/' }];
    await service.call('PUT', `/applications/${made.body.id}`, { name: 'a', rules }, management);
    assert.is((await patch()).status, 403);
  },
);

replays('given two sessions of one application, then neither gets the answers of the other', async () => {
  const once = randomUUID();
  const [one, other] = [
    await session({ permissions: ['token:create'] }),
    await session({ permissions: ['token:create'] }),
  ];
  const first = await post(one, once);
  const second = await post(other, once);
  assert.is(second.status, 201);
  assert.is.not(second.body.id, first.body.id);
  assert.is.not((await post(service.keys.public, once)).body.id, first.body.id);
  assert.is((await post(one, once)).body.id, first.body.id);
});

replays('given one idempotency key, when two browsers open sessions, then each gets its own', async () => {
  const open = () => post(service.keys.public, 'the same', '/sessions', {});
  const [first, second] = [await open(), await open()];
  assert.is(first.status, 201);
  assert.is.not(JSON.stringify(first.body), JSON.stringify(second.body));
});

replays.run();
