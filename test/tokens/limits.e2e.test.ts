import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Token = { id: string; data?: Json; errors?: Record<string, string[]> };
type Json = Record<string, unknown>;
type List = { data?: Token[]; detail?: string };

const tokenLimits = suite<{ service: VaultService }>('limits of tokens');

tokenLimits.before.each(async (context) => {
  context.service = await startVaultService();
});
tokenLimits.after.each(({ service }) => service.close());

const create = (service: VaultService, body: object): Promise<Reply<Token>> =>
  service.call<Token>('POST', '/tokens', { type: 'token', ...body });

const leaves = (text: string): Json =>
  Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`leaf${index}`, text]));

tokenLimits(
  'given a mask that shows large data many times, when it is shown, then a megabyte of it is',
  async ({ service }) => {
    for (const s of ['x'.repeat(600_000), '"'.repeat(300_000), '\u0001'.repeat(100_000)]) {
      const mask = { ...leaves('{{ data.s }}'), last: '{{ data.small }}' };
      const created = await create(service, { data: { s, small: 'seen' }, mask });
      const read = await service.call<Token>('GET', `/tokens/${created.body.id}`);
      for (const { status, body } of [created, read]) {
        assert.ok(status < 300);
        assert.equal(Object.keys(body.data ?? {}).sort(), ['last', 'leaf0']);
        assert.is(body.data?.['leaf0'], s);
      }
    }
  },
);

/** So many megabytes may take a slow machine longer than a request may: it is told to come again. */
const inTime = (ask: () => Promise<Reply<List>>): Promise<Reply<List>> =>
  until(async () => {
    const reply = await ask();
    return reply.status !== 503 && reply;
  }, 120_000);

tokenLimits(
  'given tokens that show too much together, when they are listed or found, then 422 asks for a smaller size',
  async ({ service }) => {
    const key = await service.ruledKey({
      container: '/',
      transform: 'reveal',
      permissions: ['token:read', 'token:search'],
    });
    const text = 'x'.repeat(1_000_000);
    for (let n = 0; n < 18; n += 1) {
      assert.is((await create(service, { data: { text } })).status, 201);
    }
    const asks: ((size: number) => Promise<Reply<List>>)[] = [
      (size) => service.call('GET', `/tokens?size=${size}`, undefined, { key }),
      (size) => service.call('GET', `/v2/tokens?size=${size}`, undefined, { key }),
      (size) => service.call('POST', '/tokens/search', { size }, { key }),
      (size) => service.call('POST', '/v2/tokens/search', { size }, { key }),
    ];
    // One after the other: together they are 64 MB, which a busy machine does not read in the time of a request.
    for (const ask of asks) {
      const refused = await inTime(() => ask(18));
      assert.is(refused.status, 422);
      assert.match(refused.body.detail ?? '', /16,777,216 characters.*smaller `size`/);
      const shown = await inTime(() => ask(16));
      assert.is(shown.status, 200);
      assert.is(shown.body.data?.length, 16);
    }
    // Masked they show nothing.
    assert.is((await inTime(() => service.call('GET', '/tokens?size=18'))).status, 200);
  },
);

tokenLimits(
  'given any data that a request can carry, when it is stored without a fingerprint expression, then it is taken',
  async ({ service }) => {
    const largest = 1_048_576;
    const bodyOf = (data: (room: number) => string): Buffer => {
      const frame = '{"type":"token","data":}'.length;
      return Buffer.from(`{"type":"token","data":${data(largest - frame)}}`);
    };
    const list = (item: string) => (room: number) =>
      `[${Array.from({ length: Math.floor((room - 1) / (item.length + 1)) }, () => item).join()}]`;
    for (const [name, data] of Object.entries<(room: number) => string>({
      text: (room) => `"${'x'.repeat(room - 2)}"`,
      bytes: (room) => `"${'€'.repeat(Math.floor((room - 2) / 3))}"`,
      quotes: (room) => `"${'\\"'.repeat(Math.floor((room - 2) / 2))}"`,
      member: (room) => `{"text":"${'x'.repeat(room - 11)}"}`,
      numbers: list('1'),
      'numbers that are longer when written out': list('9e20'),
      objects: list('{"a":[]}'),
    })) {
      const body = bodyOf(data);
      assert.ok(body.length > largest - 20 && body.length <= largest);
      const created = await service.call<Token>('POST', '/tokens', body);
      assert.is(created.status, 201, `${name}: ${JSON.stringify(created.body.errors)}`);
    }
  },
);

tokenLimits.run();
