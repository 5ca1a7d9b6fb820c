import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Token = Record<string, unknown> & { id: string; data?: Record<string, unknown>; detail?: string };
type Updated = { result_code: string; new_token?: Token };

/** The sandbox of the networks replaces this card. */
const replaced = '4111111111111111';
const wide = { n: '{{ data.number }}' };

let service: VaultService;
const masks = suite('masks that somebody else made');

masks.before(async () => {
  service = await startVaultService();
});
masks.after(() => service.close());

const call = <Body = Token>(method: string, path: string, body: object, key?: string): Promise<Reply<Body>> =>
  service.call<Body>(method, path, body, key === undefined ? {} : { key });
async function made(body: object, key?: string): Promise<Token> {
  const reply = await call('POST', '/tokens', body, key);
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}
async function newApplication(...permissions: string[]): Promise<string> {
  const application = { name: 'a', type: 'private', permissions };
  const reply = await service.call<{ key: string }>('POST', '/applications', application, {
    key: service.keys.management,
  });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.key;
}
const card = (number: string, more: object = {}) => ({
  type: 'card',
  data: { number, expiration_month: 12, expiration_year: 2024 },
  ...more,
});

masks(
  'given a mask that shows numbers, when networks renew the card, then the new number is not shown by it',
  async () => {
    const key = await newApplication('token:create', 'token:read', 'account-updater:real-time:invoke');
    for (const mask of [wide, { n: '{{ data.number | slice: data.expiration_month, 1 }}' }]) {
      const { id } = await made(card(replaced, { mask }), key);
      const { body } = await call<Updated>('POST', '/account-updater/real-time', { token_id: id }, key);
      assert.is(body.result_code, 'UPD_PAN');
      assert.is(body.new_token?.data?.['number'], 'XXXXXXXXXXXX6746');
      assert.equal(body.new_token?.['mask'], {
        number: '{{ data.number | reveal_last: 4 }}',
        expiration_month: '{{ data.expiration_month }}',
        expiration_year: '{{ data.expiration_year }}',
      });
    }
    const mask = { ends: '{{ data.number | reveal: 6, 4 }}' };
    const { id } = await made(card(replaced, { mask }), key);
    const { body } = await call<Updated>('POST', '/account-updater/real-time', { token_id: id }, key);
    assert.equal(body.new_token?.['mask'], mask);
  },
);

masks(
  'given indexes and a fingerprint of parts of the number, when it is renewed, then those of the whole are left',
  async () => {
    const key = await newApplication('token:create', 'token:read', 'account-updater:real-time:invoke');
    const { id } = await made(
      card(replaced, {
        fingerprint_expression: '{{ data.number | slice: 7, 2 }}',
        search_indexes: ['{{ data.number }}', '{{ data.number | last4 }}', '{{ data.number | slice: 7, 2 }}'],
      }),
      key,
    );
    const { body } = await call<Updated>('POST', '/account-updater/real-time', { token_id: id }, key);
    assert.equal(
      [body.new_token?.['search_indexes'], body.new_token?.['fingerprint_expression']],
      [['{{ data.number }}', '{{ data.number | last4 }}'], '{{ data.number }}'],
    );
  },
);

masks(
  'given who may reveal the old token, when it is renewed, then the new one is shown as it was',
  async () => {
    const key = await service.ruledKey({
      container: '/',
      transform: 'reveal',
      permissions: ['token:create', 'token:read'],
    });
    const { id } = await made(card(replaced, { mask: wide }), key);
    const revealing = await call<{ key: string }>(
      'POST',
      '/applications',
      {
        name: 'a',
        type: 'private',
        permissions: ['account-updater:real-time:invoke'],
        rules: [{ priority: 1, container: '/', transform: 'reveal', permissions: ['token:read'] }],
      },
      service.keys.management,
    );
    const { body } = await call<Updated>(
      'POST',
      '/account-updater/real-time',
      { token_id: id },
      revealing.body.key,
    );
    assert.equal(body.new_token?.['mask'], wide);
  },
);

masks(
  'given a token like another but for what it shows and how long it lasts, then it is not answered in its place',
  async () => {
    const number = '5555555555554444';
    const traps = [
      { mask: wide },
      { containers: ['/pci/high/', '/open/'] },
      { search_indexes: ['{{ data.number | slice: 0, 7 }}'] },
      { expires_at: new Date(Date.now() + 60_000).toISOString() },
    ];
    const ids: string[] = [];
    for (const trap of traps) ids.push((await made(card(number, trap))).id);
    const plain = { deduplicate_token: true };
    const own = await made(card(number, plain));
    assert.not.ok(ids.includes(own.id));
    assert.is((await made(card(number, plain))).id, own.id);
    const again = await made(card(number, { deduplicate_token: true, mask: wide }));
    assert.is(again.id, ids[0]);
    const soon = { deduplicate_token: true, expires_at: new Date(Date.now() + 30_000).toISOString() };
    assert.is((await made(card(number, soon))).id, ids[3], 'it lasts as long');
  },
);

masks('given values that have one text, when the tokens deduplicate, then each is its own', async () => {
  const like = (data: unknown) => ({ type: 'token', data, deduplicate_token: true });
  const text = await made(like('12'));
  const number = await made(like(12));
  assert.is.not(text.id, number.id);
  assert.equal([(await made(like('12'))).id, (await made(like(12))).id], [text.id, number.id]);
  const { body } = await call<Record<string, Token>>('POST', '/tokenize', {
    a: like('{"b":1}'),
    b: like({ b: 1 }),
  });
  assert.is.not(body['a']?.id, body['b']?.id);
});

masks(
  'given a fingerprint that somebody copied in the database, then what it lies on is nobody’s twin',
  async () => {
    const data = (secret: string) => ({ type: 'token', data: { secret }, deduplicate_token: true });
    const one = await made(data('copied fingerprint'));
    const other = await made(data('another secret'));
    const streams = [one, other].map(({ id }) => `token-${service.tenantId}.${id}`);
    const { rowCount } = await service.composition.pools.owner.query(
      `update vault.payloads set fingerprint = (select fingerprint from vault.payloads where stream = $1)
     where stream = $2`,
      streams,
    );
    assert.is(rowCount, 1);
    await call('DELETE', `/tokens/${one.id}`, {});
    const anew = await made(data('copied fingerprint'));
    assert.not.ok([one.id, other.id].includes(anew.id));
  },
);

masks(
  'given a mask that reads several members, when who may not reveal changes some of them, then 403',
  async () => {
    const cases: [string, object][] = [
      ['{{ data.secret | slice: data.i, 1 }}', { i: 0 }],
      ['{{ data.secret | reveal_last: data.i }}', { i: 9 }],
      ['{{ data.nick | default: data.secret }}', { nick: null }],
      ['{{ data | stringify | slice: 0, 5 }}', { i: 0 }],
    ];
    for (const [expression, data] of cases) {
      const { id } = await made({
        type: 'token',
        data: { secret: 'a long secret', i: 3, nick: 'n' },
        mask: { shown: expression },
      });
      const key = await newApplication('token:read', 'token:update');
      const reply = await call('PATCH', `/tokens/${id}`, { data }, key);
      assert.is(reply.status, 403, expression);
      assert.match(reply.body.detail ?? '', /steer what the mask shows/);
      const whole = { secret: 'mine', i: 1, nick: 'mine' };
      assert.is((await call('PATCH', `/tokens/${id}`, { data: whole }, key)).status, 200);
    }
    const { id } = await made({
      type: 'token',
      data: { secret: 'a long secret', name: 'Ada' },
      mask: { name: '{{ data.name }}', end: '{{ data.secret | last4 }}' },
    });
    const key = await newApplication('token:read', 'token:update');
    assert.is((await call('PATCH', `/tokens/${id}`, { data: { name: 'Eva' } }, key)).status, 200);
  },
);

masks.run();
