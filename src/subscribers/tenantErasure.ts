import { systemContext } from '#commands/systemContext.ts';
import { eraseTenant } from '#commands/tenant/delete.ts';
import type { ErasureDependencies } from '#commands/tenant/delete.ts';
import type { ReactorLogs } from '#ports/reactorLogs.ts';
import type { Subscriber } from '#ports/subscriber.ts';

export type TenantErasureDependencies = ErasureDependencies & { reactorLogs: ReactorLogs };

/** Completes what a crash left of the deletion of a tenant, and forgets what its keys no longer open. */
export const tenantErasure = (dependencies: TenantErasureDependencies): Subscriber => ({
  name: 'tenant_erasure',
  types: ['tenant.deleted'],
  from: 'beginning',
  handle: async (events) => {
    for (const { metadata } of events) {
      await eraseTenant(dependencies, systemContext(metadata.tenant_id, { type: 'system', id: 'erasure' }));
      await dependencies.reactorLogs.forgetTenant(metadata.tenant_id);
    }
  },
});
