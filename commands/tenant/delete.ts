import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { loadStream } from '#commands/stream.ts';
import { settle } from '#commands/settle.ts';
import { deleteTenant as decide, eraseTenant as decideErased } from '#domain/tenant/decide.ts';
import { tenantStream } from '#domain/tenant/events.ts';
import { tenantFold } from '#domain/tenant/state.ts';
import type { ErasedTenant } from '#domain/tenant/state.ts';
import type { ObjectStorage } from '#ports/objectStorage.ts';
import { objectKeys } from '#src/accountUpdater/ids.ts';
import { NotFound } from '#src/errors.ts';
import { derivedId } from '#src/identifiers.ts';

export type ErasureDependencies = CommandDependencies & { objects: Pick<ObjectStorage, 'removeAll'> };

/**
 * Ends the tenant of the context and destroys its keys: nothing that the vault holds of it can be read again from
 * any copy that lacks the root key. Answers the receipt. Source: reference of tenants.
 * @throws NotFound, Conflicted, Unavailable
 */
export async function deleteTenant(
  dependencies: ErasureDependencies,
  context: CommandContext,
): Promise<Outcome<ErasedTenant>> {
  const { tenantId } = context;
  const deleted = await execute(dependencies, context, {
    stream: tenantStream(tenantId),
    fold: tenantFold,
    trustsAnything: true,
    decide: async (state) => decide(state, await dependencies.vault.holdings(tenantId)),
  });
  // Its keys open nothing from here on.
  await settle(dependencies, deleted.position, undefined);
  return eraseTenant(dependencies, context);
}

/**
 * Destroys what a deleted tenant has in the vault, removes its files, and says so; again is harmless.
 * @throws NotFound for a tenant that was not deleted
 */
export async function eraseTenant(
  dependencies: ErasureDependencies,
  context: CommandContext,
): Promise<Outcome<ErasedTenant>> {
  const { vault, credentials, objects } = dependencies;
  const { tenantId } = context;
  const { state } = await loadStream(dependencies.log, tenantStream(tenantId), tenantFold);
  if (state.status !== 'deleted' && state.status !== 'erased') throw new NotFound();
  await vault.destroyTenantKeys(tenantId);
  await credentials.removeTenant(tenantId);
  await objects.removeAll(objectKeys.ofTenant(tenantId));
  const erasing = { ...context, commandId: derivedId(context.commandId, 'erasure'), repeated: false };
  const executed = await execute(dependencies, erasing, {
    stream: tenantStream(tenantId),
    fold: tenantFold,
    trustsAnything: true,
    decide: decideErased,
  });
  if (executed.state.status !== 'erased') throw new NotFound();
  return settle(dependencies, executed.position, executed.state);
}
