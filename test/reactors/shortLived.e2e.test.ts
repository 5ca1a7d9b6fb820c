import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { invocationStream } from '#domain/invocation/events.ts';
import { create } from '#test/reactors/support/reactors.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const shortLived = suite<{ service: VaultService }>('asynchronous invocations with security codes');

shortLived.before(async (context) => {
  context.service = await startVaultService();
});
shortLived.after(({ service }) => service.close());

type Kept = { key: string; has_part: boolean; stored_at: Date | null };

/** What the vault has of a result: whether it lies beside the payload, in what lives for an hour. */
async function keptOf({ composition, tenantId }: VaultService, id: string): Promise<Kept[]> {
  const { rows } = await composition.pools.owner.query<Kept>(
    `select payload.id::text as key, part.payload_id is not null as has_part, part.stored_at
     from vault.payloads payload
     left join vault.short_lived_parts part on part.tenant_id = payload.tenant_id and part.payload_id = payload.id
     where payload.tenant_id = $1 and payload.stream = $2`,
    [tenantId, invocationStream(tenantId, id)],
  );
  return rows;
}

async function resultOf(service: VaultService, args: unknown): Promise<{ kept: Kept[]; body: unknown }> {
  const { id } = await create(service, { code: 'module.exports = (req) => ({ raw: req.args })' });
  const asked = await service.call<{ asyncReactorRequestId: string }>('POST', `/reactors/${id}/react-async`, {
    args,
  });
  const { asyncReactorRequestId: request } = asked.body;
  const reply = await until(async () => {
    const result = await service.call('GET', `/reactors/${id}/results/${request}`);
    return result.status === 200 && result;
  });
  return { kept: await keptOf(service, request), body: reply.body };
}

shortLived(
  'given a security code among the arguments, when the result is kept, then as long as the code is',
  async ({ service }) => {
    const before = Date.now();
    const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2035, cvc: '987' };
    const token = await service.call<{ id: string }>('POST', '/tokens', { type: 'card', data: card });
    const after = Date.now();
    // So that an hour that began with the invocation could be told from it.
    await until(() => Date.now() > after + 50);
    const { kept, body } = await resultOf(service, { card: `{{ ${token.body.id} }}` });
    assert.equal(body, { raw: { card } });
    assert.ok(kept.length > 0 && kept.every(({ has_part: hasPart }) => hasPart), JSON.stringify(kept));
    for (const { stored_at: storedAt } of kept) {
      // The code's own hour, and not one that began with the invocation.
      assert.ok(storedAt !== null && storedAt.getTime() >= before && storedAt.getTime() <= after + 5);
    }
  },
);

shortLived(
  'given no security code, when the result is kept, then as any other secret',
  async ({ service }) => {
    const { kept } = await resultOf(service, { plain: 1 });
    assert.ok(kept.length > 0 && kept.every(({ has_part: hasPart }) => !hasPart));
  },
);

shortLived.run();
