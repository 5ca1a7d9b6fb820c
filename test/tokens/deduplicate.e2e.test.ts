import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Token = Record<string, unknown> & { id: string };

const deduplicate = suite<{ service: VaultService }>('deduplication and aliases');

deduplicate.before(async (context) => {
  context.service = await startVaultService();
});
deduplicate.after(({ service }) => service.close());

let next = 0;
/** A card number that no other test has. */
function newNumber(): string {
  const body = `400000${String(next++).padStart(9, '0')}`;
  const sum = [...body].reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
}
const cardWith = (number: string, more: object = {}) => ({
  type: 'card',
  data: { number, expiration_month: 1, expiration_year: 2031 },
  deduplicate_token: true,
  ...more,
});
const post = (service: VaultService, body: object, options?: { key: string }): Promise<Reply<Token>> =>
  service.call<Token>('POST', '/tokens', body, options);
const countOf = async (service: VaultService, fingerprint: unknown): Promise<number> => {
  const reply = await service.call<{ data: unknown[] }>(
    'GET',
    `/v2/tokens?fingerprint=${String(fingerprint)}`,
  );
  return reply.body.data.length;
};
deduplicate(
  'given 50 creates of one card at once, when each deduplicates, then one token is made',
  async ({ service }) => {
    const body = cardWith(newNumber());
    const replies = await Promise.all(Array.from({ length: 50 }, () => post(service, body)));
    assert.equal([...new Set(replies.map(({ status }) => status))], [201]);
    assert.is(new Set(replies.map((reply) => reply.body.id)).size, 1);
    assert.is(await countOf(service, replies[0]?.body['fingerprint']), 1);
    assert.not.ok('deduplicate_token' in (replies[0]?.body ?? {}));
  },
);

deduplicate(
  'given a token, when it is created again with the flag, then it is answered unchanged; without, made anew',
  async ({ service }) => {
    const number = newNumber();
    const first = await post(
      service,
      cardWith(number, { deduplicate_token: null, metadata: { by: 'first' } }),
    );
    const again = await post(service, cardWith(number, { metadata: { by: 'second' }, id: 'given-id' }));
    assert.equal(
      [again.status, again.body.id, again.body['metadata']],
      [201, first.body.id, { by: 'first' }],
    );
    const anew = await post(service, cardWith(number, { deduplicate_token: false }));
    assert.is.not(anew.body.id, first.body.id);
    assert.is(anew.body['fingerprint'], first.body['fingerprint']);
  },
);

deduplicate(
  'given a match that was deleted, has expired or was changed, then a token is made',
  async ({ service }) => {
    const [deleted, changed] = [newNumber(), newNumber()];
    const one = await post(service, cardWith(deleted));
    await service.call('DELETE', `/tokens/${one.body.id}`);
    assert.is.not((await post(service, cardWith(deleted))).body.id, one.body.id);
    const two = await post(service, cardWith(changed));
    await service.call('PATCH', `/tokens/${two.body.id}`, { data: { number: newNumber() } });
    assert.is.not((await post(service, cardWith(changed))).body.id, two.body.id);
  },
);

deduplicate(
  'given a caller who may not read the match, then it learns no more than that it is there',
  async ({ service }) => {
    const number = newNumber();
    const first = await post(service, cardWith(number, { metadata: { hidden: 'yes' } }));
    const blind = await service.ruledKey({ container: '/pci/', permissions: ['token:create'] });
    const limited = await post(service, cardWith(number), { key: blind });
    assert.equal(limited.body, {
      id: first.body.id,
      type: 'card',
      tenant_id: service.tenantId,
      fingerprint: first.body['fingerprint'],
      containers: ['/pci/high/'],
    });
    const seeing = await service.ruledKey({
      container: '/pci/',
      transform: 'reveal',
      permissions: ['token:create', 'token:read'],
    });
    const full = await post(service, cardWith(number), { key: seeing });
    assert.equal(full.body['data'], { number, expiration_month: 1, expiration_year: 2031 });
  },
);

deduplicate(
  'given equal cards in one request, when they are tokenized, then one token stands for all',
  async ({ service }) => {
    const body = cardWith(newNumber());
    const known = await post(service, cardWith(newNumber()));
    const { body: made } = await service.call<Record<string, Token>>('POST', '/tokenize', {
      first: body,
      second: body,
      other: { ...body, deduplicate_token: false },
    });
    assert.is(made['first']?.id, made['second']?.id);
    assert.is.not(made['other']?.id, made['first']?.id);
    assert.is(await countOf(service, made['first']?.['fingerprint']), 2);
    assert.is(await countOf(service, known.body['fingerprint']), 1);
  },
);

deduplicate(
  'given an update with the flag, then the token itself is no match, and another one is answered',
  async ({ service }) => {
    const number = newNumber();
    const original = await post(service, cardWith(number));
    const other = await post(service, cardWith(newNumber()));
    const same = await service.call<Token>('PATCH', `/tokens/${original.body.id}`, {
      data: { number },
      metadata: { patched: 'yes' },
      deduplicate_token: true,
    });
    assert.equal([same.body.id, same.body['metadata']], [original.body.id, { patched: 'yes' }]);
    const patch = { data: { number }, deduplicate_token: true };
    const matched = await service.call<Token>('PATCH', `/tokens/${other.body.id}`, patch);
    assert.equal([matched.status, matched.body.id], [200, original.body.id]);
    const untouched = await service.call<Token>('GET', `/tokens/${other.body.id}`);
    assert.is(untouched.body['fingerprint'], other.body['fingerprint']);
  },
);

deduplicate(
  'given two requests with the same cards in another order, then both are answered',
  async ({ service }) => {
    const [a, b] = [cardWith(newNumber()), cardWith(newNumber())];
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        service.call<Token[]>('POST', '/tokenize', n % 2 === 0 ? [a, b] : [b, a]),
      ),
    );
    assert.equal([...new Set(replies.map(({ status }) => status))], [200]);
    assert.is(new Set(replies.flatMap(({ body }) => body.map(({ id }) => id))).size, 2);
  },
);

deduplicate(
  'given more tokens than aliases, when they are created, then the rest get uuids',
  async ({ service }) => {
    const body = { type: 'token', data: '7', id: 'alias-{{ data | alias_preserve_format }}' };
    const ids: string[] = [];
    for (let n = 0; n < 14; n += 1) {
      const { status, body: token } = await post(service, body);
      assert.is(status, 201);
      ids.push(token.id);
    }
    assert.is(new Set(ids).size, 14);
    assert.ok(ids.filter((id) => /^alias-\d$/.test(id)).length >= 5);
    assert.ok(ids.filter((id) => /^[0-9a-f-]{36}$/.test(id)).length >= 4);
  },
);

deduplicate(
  'given an expression without chance, when its id is taken, then 409; when it is no id, then 400',
  async ({ service }) => {
    const body = {
      type: 'token',
      data: { email: 'jane.doe@example.com', bad: 'a#b' },
      id: '{{ data.email }}',
    };
    assert.is((await post(service, body)).body.id, 'jane.doe@example.com');
    assert.is((await post(service, body)).status, 409);
    for (const id of [
      '{{ data.bad }}',
      '{{ data.nothing }}',
      '{{ data.email | unknown }}',
      '{% if %}',
      'a/b',
    ]) {
      const refused = await post(service, { ...body, id });
      assert.equal([refused.status, Object.keys(refused.body['errors'] as object)], [400, ['id']], id);
    }
    const read = await service.call<Token>('GET', `/tokens/${encodeURIComponent('jane.doe@example.com')}`);
    assert.is(read.status, 200);
  },
);

deduplicate.run();
