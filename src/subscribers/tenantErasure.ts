import type { CommandDependencies } from '#commands/context.ts';
import { systemContext } from '#commands/systemContext.ts';
import { eraseTenant } from '#commands/tenant/delete.ts';
import type { Subscriber } from '#ports/subscriber.ts';

/** Completes what a crash left of the deletion of a tenant. */
export const tenantErasure = (dependencies: CommandDependencies): Subscriber => ({
  name: 'tenant_erasure',
  types: ['tenant.deleted'],
  from: 'beginning',
  handle: async (events) => {
    for (const { metadata } of events) {
      await eraseTenant(dependencies, systemContext(metadata.tenant_id, { type: 'system', id: 'erasure' }));
    }
  },
});
