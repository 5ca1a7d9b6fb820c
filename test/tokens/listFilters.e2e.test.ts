import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Token = Record<string, unknown> & { id: string };
type List = { pagination: Record<string, number>; data: Token[]; errors?: object };
type Context = { service: VaultService; low: Token; deep: Token; card: Token };

const filters = suite<Context>('filters of token lists');

filters.before(async (context) => {
  const service = await startVaultService();
  const create = async (body: object): Promise<Token> => {
    const reply = await service.call<Token>('POST', '/tokens', { type: 'token', data: 'x', ...body });
    assert.is(reply.status, 201, JSON.stringify(reply.body));
    return reply.body;
  };
  const metadata = { team: 'a' };
  const low = await create({ containers: ['/s/'], metadata });
  const deep = await create({ containers: ['/other/', '/s/deeper/'], data: 'unlike' });
  const card = await create({ type: 'card', data: { number: '4242424242424242' }, metadata });
  Object.assign(context, { service, low, deep, card });
});
filters.after(({ service }) => service.close());

for (const list of ['/tokens', '/v2/tokens']) {
  const idsOf = async ({ service }: Context, query: string): Promise<string[]> => {
    const reply = await service.call<List>('GET', `${list}?${query}`);
    assert.is(reply.status, 200, JSON.stringify(reply.body));
    return reply.body.data.map(({ id }) => id);
  };

  filters(
    `given a filter, when ${list} is asked, then what it selects is listed, newest first`,
    async (context) => {
      const { low, deep, card } = context;
      for (const [query, wanted] of [
        ['', [card, deep, low]],
        ['container=/s/', [deep, low]],
        ['container=/S/Deeper/', [deep]],
        ['container=/s/deep/', []],
        [`fingerprint=${String(deep['fingerprint'])}`, [deep]],
        ['fingerprint=x', []],
        [`id=${low.id}&id=${card.id}&id=nobody`, [card, low]],
        [`id=${low.id}`, [low]],
        ['type=card', [card]],
        ['type=card&type=token', [card, deep, low]],
        ['metadata.team=A', [card, low]],
        ['metadata.team=A&container=/pci/', [card]],
        [`fingerprint=${String(deep['fingerprint'])}&container=/pci/`, []],
      ] as const) {
        assert.equal(
          await idsOf(context, query),
          wanted.map(({ id }) => id),
          query,
        );
      }
    },
  );

  filters(
    `given a filter that cannot be meant, when ${list} is asked, then 400 names it`,
    async ({ service }) => {
      for (const [query, path] of [
        ['container=s', 'container'],
        ['container=/s/&container=/other/', 'container'],
        ['fingerprint=' + 'x'.repeat(101), 'fingerprint'],
      ] as const) {
        const refused = await service.call<List>('GET', `${list}?${query}`);
        assert.equal([refused.status, Object.keys(refused.body.errors ?? {})], [400, [path]], query);
      }
    },
  );
}

filters.run();
