import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { create } from '#test/reactors/support/reactors.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

const custom = suite<{ service: VaultService }>('custom answers of reactors');

custom.before(async (context) => {
  context.service = await startVaultService();
});
custom.after(({ service }) => service.close());

/** Invokes code that throws a response with these headers, given as code. */
async function answerWith(service: VaultService, headers: string): Promise<Reply<Record<string, unknown>>> {
  const { id } = await create(service, {
    code: `const { CustomHttpResponseError } = require('@basis-theory/basis-theory-reactor-formulas-sdk-js');
      module.exports = () => { throw new CustomHttpResponseError({ status: 201, headers: ${headers}, body: { own: 1 } }); }`,
  });
  return service.call('POST', `/reactors/${id}/react`, {});
}

custom(
  'given a response that speaks for the host or the service, then that is left out, and the rest is as code said',
  async ({ service }) => {
    const { status, headers, body } = await answerWith(
      service,
      `{ 'Cache-Control': 'public', 'X-Content-Type-Options': 'off', 'Service-Worker-Allowed': '/',
        'Strict-Transport-Security': 'max-age=1', 'RateLimit': 'r=999999', 'X-Own': 'kept' }`,
    );
    assert.equal([status, body, headers.get('x-own')], [201, { own: 1 }, 'kept']);
    assert.equal(
      ['cache-control', 'x-content-type-options', 'service-worker-allowed', 'strict-transport-security'].map(
        (name) => headers.get(name),
      ),
      ['no-store', 'nosniff', null, null],
    );
    assert.not.ok(headers.get('ratelimit')?.includes('999999'));
  },
);

custom(
  'given headers that are null, then they are left out, and objects are refused with what a header is',
  async ({ service }) => {
    const { status, headers } = await answerWith(
      service,
      `{ 'X-Null': null, 'X-Undefined': undefined, 'X-None': [], 'X-Some': [null, 1, true], 'X-Zero': 0 }`,
    );
    assert.is(status, 201);
    const names = ['x-null', 'x-undefined', 'x-none', 'x-some', 'x-zero'];
    assert.equal(
      names.map((name) => headers.get(name)),
      [null, null, null, '1, true', '0'],
    );
    for (const value of [`{ 'X-Object': {} }`, `{ 'X-Nested': [['a']] }`]) {
      const refused = await answerWith(service, value);
      assert.is(refused.status, 500, value);
      assert.match(
        JSON.stringify(refused.body),
        'a header is a text, a number or a boolean, or a list of them',
      );
    }
  },
);

custom.run();
