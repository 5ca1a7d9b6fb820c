import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Token = Record<string, unknown> & { id: string };
type List = { pagination: Record<string, number> & { next?: string }; data: Token[] };

const lists = suite<{ service: VaultService }>('token lists');

lists.before.each(async (context) => {
  context.service = await startVaultService();
});
lists.after.each(({ service }) => service.close());

const create = async (service: VaultService, body: object): Promise<Token> => {
  const reply = await service.call<Token>('POST', '/tokens', { type: 'token', data: 'x', ...body });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
};
const idsOf = ({ body }: Reply<List>): string[] => body.data.map(({ id }) => id);

lists(
  'given many tokens, when they are listed from cursor to cursor, then each comes once, whatever is added',
  async ({ service }) => {
    const made: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      const metadata = { even: String(n % 2 === 0) };
      made.unshift(
        (await create(service, { data: n, metadata, containers: [n < 4 ? '/low/' : '/low/er/'] })).id,
      );
    }
    const listed: string[] = [];
    let next: string | undefined;
    do {
      const start: string = next === undefined ? '' : `&start=${next}`;
      const page = await service.call<List>('GET', `/v2/tokens?size=3${start}`);
      assert.is(page.status, 200);
      listed.push(...idsOf(page));
      assert.is(page.body.pagination['page_size'], page.body.data.length);
      next = page.body.pagination.next;
      await create(service, { data: 'later', type: 'token' });
    } while (next !== undefined);
    assert.equal(listed, made);
    const count = async (path: string): Promise<number> =>
      idsOf(await service.call<List>('GET', path)).length;
    assert.is(await count('/v2/tokens?metadata.even=true'), 4);
    assert.is(await count('/v2/tokens?container=/low/&type=token'), 7);
    assert.is(await count('/v2/tokens?container=/low/er/'), 3);
    assert.is(await count('/v2/tokens?type=card'), 0);
    const searched = await service.call<List>('POST', '/v2/tokens/search', {
      query: 'metadata.even:true',
      size: 3,
    });
    assert.is(searched.body.data.length, 3);
    const rest = await service.call<List>('POST', '/v2/tokens/search', {
      query: 'metadata.even:true',
      start: searched.body.pagination.next,
    });
    assert.is(rest.body.data.length, 1);
    assert.not.ok('next' in rest.body.pagination);
  },
);

lists(
  'given cursors that no list gave, when lists and the log are asked to go on there, then 400 names start',
  async ({ service }) => {
    const cursor = (...values: unknown[]): string =>
      Buffer.from(JSON.stringify(values)).toString('base64url');
    const refused = async (path: string, start: string): Promise<void> => {
      const key = path === '/logs' ? service.keys.management : service.keys.private;
      const reply = await service.call<{ errors?: object }>('GET', `${path}?start=${start}`, undefined, {
        key,
      });
      assert.is(reply.status, 400, `${path}: ${Buffer.from(start, 'base64url').toString()}`);
      assert.equal(reply.body.errors, { start: ['must be the value of next in an earlier answer'] });
    };
    const now = '2026-07-01T12:00:00.000Z';
    const writer = '11111111-1111-4111-8111-111111111111';
    for (const time of [
      '+275760-09-13T00:00:00.000Z',
      '-000001-01-01T00:00:00.000Z',
      '0000-01-01T00:00:00.000Z',
      '2026-02-30T00:00:00.000Z',
      '2026-07-01T12:00:00Z',
      '2026-07-01T12:00:00.000+00:00',
      'July 1 2026',
      7,
    ]) {
      await refused('/v2/tokens', cursor(time, '1'));
      await refused('/logs', cursor(time, writer, '1'));
    }
    for (const start of [
      'nonsense',
      cursor(1, 2),
      cursor(now),
      cursor(now, '1', '2'),
      cursor(now, '01'),
      cursor(now, 1),
    ]) {
      await refused('/v2/tokens', start);
    }
    for (const start of [cursor(now, writer), cursor(now, writer, '1', '2'), cursor(now, 'writer', '1')]) {
      await refused('/logs', start);
    }
    assert.is((await service.call('GET', `/v2/tokens?start=${cursor(now, '1')}`)).status, 200);
  },
);

lists(
  'given moves, expiry and deletion, when all are counted, then the total is what the caller may see',
  async ({ service }) => {
    const key = await service.ruledKey({ container: '/a/', permissions: ['token:read'] });
    const totals = async (): Promise<(number | undefined)[]> => {
      const all = await service.call<List>('GET', '/tokens?size=1');
      const narrow = await service.call<List>('GET', '/tokens?size=1', undefined, { key });
      return [all.body.pagination['total_items'], narrow.body.pagination['total_items']];
    };
    assert.equal(await totals(), [0, 0]);
    const first = await create(service, { containers: ['/a/'] });
    const second = await create(service, { containers: ['/a/b/', '/c/'] });
    await create(service, { containers: ['/c/'] });
    assert.equal(await totals(), [3, 2]);
    await service.call('PATCH', `/tokens/${first.id}`, { containers: ['/c/'] });
    assert.equal(await totals(), [3, 1]);
    await service.call('DELETE', `/tokens/${second.id}`);
    assert.equal(await totals(), [2, 0]);
    const soon = new Date(Date.now() + 700).toISOString();
    await create(service, { containers: ['/a/'], expires_at: soon });
    assert.equal(await totals(), [3, 1]);
    await until(async () => String(await totals()) === '2,0');
  },
);

lists.run();
