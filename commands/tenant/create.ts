import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { createTenant as decide } from '#domain/tenant/decide.ts';
import { tenantStream } from '#domain/tenant/events.ts';
import { tenantFold } from '#domain/tenant/state.ts';
import { isRefusal } from '#domain/event.ts';

/**
 * Creates the tenant of the context and its keys in the vault; one that exists is left as it is.
 */
export async function createTenant(
  dependencies: CommandDependencies,
  context: CommandContext,
  name: string,
): Promise<void> {
  const id = context.tenantId;
  await execute(dependencies, context, {
    stream: tenantStream(id),
    fold: tenantFold,
    decide: async (state) => {
      const decision = decide(state, { id, name });
      if (isRefusal(decision)) return [];
      await dependencies.vault.createTenantKeys(id);
      return decision;
    },
  });
}
