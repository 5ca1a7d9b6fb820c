import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

let service: VaultService;
const warnings = suite('masks that can never render');

warnings.before(async () => {
  service = await startVaultService();
});
warnings.after(() => service.close());

const told = ({ headers }: Reply<unknown>): unknown => {
  const header = headers.get('holdfast-warnings');
  return header === null ? undefined : JSON.parse(header);
};

const create = (mask: unknown) =>
  service.call<{ id: string }>('POST', '/tokens', { type: 'token', data: { a: 1, n: 'xyz' }, mask });

warnings('given masks that render, or none, then nothing is said', async () => {
  for (const mask of [undefined, null, '{{ data.a }}', { a: '{{ data.b | upcase }}', b: 'text', c: 1 }]) {
    const reply = await create(mask);
    assert.is(reply.status, 201);
    assert.is(told(reply), undefined);
  }
});

warnings(
  'given leaves that can never render, when a token is created, then the answer says which and why',
  async () => {
    const reply = await create({
      good: '{{ data.a }}',
      unknown: '{{ data.n | shout }}',
      tags: ['{% if data.a %}1{% endif %}', 'x'],
      'odd name': '{{ data.n',
      alias: '{{ data.n | alias_preserve_length }}',
      other: '{{ metadata.a }}',
    });
    assert.is(reply.status, 201);
    assert.equal(told(reply), [
      'mask.unknown: There is no filter "shout" (at position 12)',
      'mask.tags[0]: Only {{ }} is allowed, tags are not (at position 0)',
      'mask.odd name: Expected "|" or "}}" (at position 9)',
      'mask.alias: aliases are for ids: a mask shows the same each time',
      'mask.other: there is no "metadata": a mask knows data',
    ]);
  },
);

warnings('given names beyond ASCII, then the header is ASCII', async () => {
  const header = (await create({ 'Größe🙂': '{{ data | nö }}' })).headers.get('holdfast-warnings') ?? '';
  assert.match(header, /^[\x20-\x7e]+$/);
  assert.match((JSON.parse(header) as string[])[0] ?? '', 'mask.Größe🙂');
});

warnings('given very many, then some are said, and how many are left', async () => {
  const mask = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`k${index}`, '{{ data | no }}']));
  const header = (await create(mask)).headers.get('holdfast-warnings') ?? '';
  const list = JSON.parse(header) as string[];
  assert.is(list.length, 11);
  assert.is(list.at(-1), '30 more');
  assert.ok(header.length < 4_000);
});

warnings('given a patch, and tokens of any JSON, then so too', async () => {
  const { body } = await create('{{ data.a }}');
  const patched = await service.call(
    'PATCH',
    `/tokens/${body.id}`,
    { mask: '{{ data | no }}' },
    {
      key: await service.ruledKey({
        container: '/',
        transform: 'reveal',
        permissions: ['token:update', 'token:read'],
      }),
    },
  );
  assert.is(patched.status, 200, JSON.stringify(patched.body));
  assert.equal(told(patched), ['mask: There is no filter "no" (at position 10)']);
  const tokenized = await service.call('POST', '/tokenize', {
    list: [{ type: 'token', data: 'a', mask: '{{ data | no }}' }, 'plain'],
  });
  assert.is(tokenized.status, 200);
  assert.equal(told(tokenized), ['list[0].mask: There is no filter "no" (at position 10)']);
});

warnings.run();
