import type { CommandDependencies } from '#commands/context.ts';
import { loadStream } from '#commands/stream.ts';
import { systemContext } from '#commands/systemContext.ts';
import { lapseProperty } from '#commands/token/lapse.ts';
import { loadTransaction } from '#commands/transaction/load.ts';
import { tenantStream } from '#domain/tenant/events.ts';
import { tenantFold } from '#domain/tenant/state.ts';
import { tokenStream } from '#domain/token/events.ts';
import { tokenFold } from '#domain/token/state.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { ShortLivedParts } from '#ports/shortLivedParts.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import { readTokenPayload } from '#src/payloads.ts';

const actor = { type: 'system', id: 'retention' } as const;

/** `false`: a tenant keeps codes for the hour that the specification gives them. */
const setting = 'remove_cvc_after_authorization';

/**
 * Removes the code of a card as soon as an authorization with it has succeeded, unless the tenant keeps codes.
 * Source: PCI DSS 4.0.1, 3.3.1.2.
 */
export const usedCodeRemoval = (dependencies: CommandDependencies, parts: ShortLivedParts): Subscriber => ({
  name: 'used_code_removal',
  types: ['transaction.authorization_succeeded', 'transaction.capture_succeeded'],
  from: 'beginning',
  handle: async (events) => {
    const byTenant = Map.groupBy(events, (event) => event.metadata.tenant_id);
    for (const [tenantId, ofTenant] of byTenant) {
      const { state } = await loadStream(dependencies.log, tenantStream(tenantId), tenantFold);
      if (state.status !== 'live' || state.settings[setting] === 'false') continue;
      for (const event of ofTenant) await removeCode(dependencies, parts, event);
    }
  },
});

async function removeCode(
  dependencies: CommandDependencies,
  parts: ShortLivedParts,
  { data, metadata: { tenant_id: tenantId, occurred_at: at } }: RecordedEvent,
): Promise<void> {
  const { log, vault } = dependencies;
  const transaction = (await loadTransaction({ log }, tenantId, String(data['id'])))?.state;
  if (transaction === undefined) return;
  const { tokenId } = transaction;
  const { state: token } = await loadStream(log, tokenStream(tenantId, tokenId), tokenFold);
  // A code that was entered afterwards is for the next payment.
  if (token.status !== 'live' || (token.modifiedAt ?? token.createdAt) > at) return;
  const { payloadId } = token;
  const payload = await readTokenPayload(vault, token);
  if ((await payload?.shortLived()) === undefined) return;
  await lapseProperty(dependencies, systemContext(tenantId, actor), { tokenId, payloadId });
  await parts.forget([{ tenantId, tokenId, payloadId }]);
}
