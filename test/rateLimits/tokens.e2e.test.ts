import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Token = { id: string };

let service: VaultService;
const limited = suite('limits that are counted in tokens');

/** Its limits are small enough to be met, and by nobody else. */
limited.before(async () => {
  const environment = { HOLDFAST_RATE_LIMITS: 'public_tokens=20,private_tokens=60' };
  service = await startVaultService({ environment, alone: true });
});
limited.after(() => service.close());

const inside = (reply: Reply, scope: string): string | undefined =>
  (reply.headers.get('RateLimit') ?? '').split(', ').find((item) => item.startsWith(`"${scope}"`));
const values = (count: number): string[] => Array.from({ length: count }, (_, index) => `value ${index}`);

limited(
  'given keys of every kind, when more tokens are asked for than their limit, then 429, until then what is left',
  async () => {
    const { keys } = service;
    const id = (await service.call<Token>('POST', '/tokens', { type: 'token', data: 1 })).body.id;
    const open = await service.call<{ session_key: string; nonce: string }>('POST', '/sessions', undefined, {
      key: keys.public,
    });
    const key = open.body.session_key;
    await service.call('POST', '/sessions/authorize', {
      nonce: open.body.nonce,
      permissions: ['token:read', 'token:create'],
    });
    const first = await service.call('POST', '/tokenize', values(12), { key: keys.public });
    assert.equal([first.status, inside(first, 'public_tokens')?.split(';')[1]], [200, 'r=8']);
    const read = await service.call('POST', '/detokenize', { a: `{{ ${id} }}`, b: `{{ ${id} }}` }, { key });
    assert.equal([read.status, inside(read, 'public_tokens')?.split(';')[1]], [200, 'r=7']);
    const refused = await service.call('POST', '/tokenize', values(8), { key: keys.public });
    assert.is(refused.status, 429);
    assert.ok(Number(refused.headers.get('Retry-After')) > 0);
    assert.is((await service.call('POST', '/tokens', { type: 'token', data: 1 }, { key })).status, 429);
    const own = await service.call('POST', '/tokenize', values(40));
    assert.equal([own.status, inside(own, 'public_tokens')], [200, undefined]);
    assert.is((await service.call('POST', '/tokenize', values(30))).status, 429);
    const log = await service.call<{ data: { status?: number }[] }>('GET', '/logs?size=100', undefined, {
      key: keys.management,
    });
    assert.ok(log.body.data.length > 0 && log.body.data.every(({ status }) => status !== 429));
  },
);

limited.run();
