import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Token = { id: string; data?: unknown; mask?: unknown; detail: string };
type Entry = { operation: string; detail: string };

const card = { number: '4045190192782918', expiration_month: 1, expiration_year: 2031, cvc: '987' };
const wide = { n: '{{ data.number }}', c: '{{ data.cvc }}' };

let service: VaultService;
const masks = suite('masks and updates');

masks.before(async () => {
  service = await startVaultService();
});
masks.after(() => service.close());

const newToken = async (body: object): Promise<string> =>
  (await service.call<Token>('POST', '/tokens', body)).body.id;
const newCard = (more: object = {}): Promise<string> => newToken({ type: 'card', data: card, ...more });
const patch = (id: string, body: object, key?: string): Promise<Reply<Token>> =>
  service.call<Token>('PATCH', `/tokens/${id}`, body, key === undefined ? {} : { key });
const entries = async (id: string, operation: string): Promise<string[]> => {
  const { body } = await service.call<{ data: Entry[] }>('GET', `/logs?entity_id=${id}`, undefined, {
    key: service.keys.management,
  });
  return body.data.filter((entry) => entry.operation === operation).map((entry) => entry.detail);
};
const revealing = (): Promise<string> =>
  service.ruledKey({ container: '/', transform: 'reveal', permissions: ['token:read', 'token:update'] });

masks(
  'given a key that may only update, when it widens a mask, then 403, and no later update shows',
  async () => {
    const id = await newCard();
    const refused = await patch(id, { mask: wide }, service.keys.public);
    assert.is(refused.status, 403);
    assert.match(refused.body.detail, /reveal/);
    for (const body of [{}, { metadata: { z: '1' } }, { mask: null }]) {
      const reply = await patch(id, body, service.keys.public);
      assert.is(reply.status, 200);
      assert.is(reply.body.data, undefined);
    }
  },
);

masks('given a token whose mask shows all, when who may not read it updates it, then no data', async () => {
  const id = await newCard({ mask: wide });
  for (const body of [{}, { metadata: { z: '1' } }]) {
    assert.not.ok('data' in (await patch(id, body, service.keys.public)).body);
  }
});

masks('given plain permissions, when a mask is widened, then 403; by a rule that reveals, 200', async () => {
  const id = await newCard();
  for (const mask of [wide, { number: '{{ data.number }}' }, '{{ data }}', { y: '{{ data.x }}' }]) {
    assert.is((await patch(id, { mask })).status, 403, JSON.stringify(mask));
  }
  assert.is((await patch(id, { mask: { number: '{{ data.number | reveal_last: 2 }}' } })).status, 200);
  const key = await revealing();
  const widened = await patch(id, { mask: wide }, key);
  assert.equal([widened.status, widened.body.mask], [200, { ...(widened.body.mask as object), ...wide }]);
});

masks('given a mask that shows a whole card number, when it is changed, then it takes a reveal', async () => {
  const id = await newCard({ mask: { ...wide, m: '{{ data.expiration_month }}' } });
  assert.is((await patch(id, { mask: { m: null } })).status, 403);
  assert.is((await patch(id, { mask: { n: null, c: null } })).status, 200);
});

masks('given a mask of any reach, when a token is created, then it is taken', async () => {
  const { status, body } = await service.call<Token>('POST', '/tokens', {
    type: 'card',
    data: card,
    mask: wide,
  });
  assert.equal([status, body.data], [201, { n: card.number, c: card.cvc }]);
});

masks('given an update that shows stored data, then the audit log names what was shown', async () => {
  const [masked, all] = [await newCard(), await newCard({ mask: wide })];
  for (const id of [masked, all]) await patch(id, { metadata: { z: '1' } });
  assert.equal(await entries(masked, 'read'), ['mask']);
  assert.equal(await entries(all, 'read'), ['reveal']);
  await service.call('GET', `/tokens/${all}`);
  assert.equal(await entries(all, 'read'), ['reveal', 'reveal']);
  const hidden = await newCard({ mask: wide });
  await patch(hidden, { metadata: { z: '1' } }, service.keys.public);
  assert.equal(await entries(hidden, 'read'), []);
});

masks('given a kept answer, when the right to read is gone, then it is not shown again', async () => {
  const application = { name: 'a', type: 'private', permissions: ['token:read', 'token:update'] };
  const { keys } = service;
  const made = await service.call<{ id: string; key: string }>('POST', '/applications', application, {
    key: keys.management,
  });
  const id = await newToken({ type: 'token', data: 'secret', mask: '{{ data | reveal_last: 2 }}' });
  const options = { key: made.body.key, headers: { 'BT-IDEMPOTENCY-KEY': 'once' } };
  const body = { metadata: { a: 'b' } };
  const first = await service.call<Token>('PATCH', `/tokens/${id}`, body, options);
  assert.is(first.body.data, 'XXXXet');
  await service.call(
    'PUT',
    `/applications/${made.body.id}`,
    { name: 'a', permissions: ['token:update'] },
    { key: keys.management },
  );
  assert.is((await service.call<Token>('PATCH', `/tokens/${id}`, body, options)).status, 403);
});

masks.run();
