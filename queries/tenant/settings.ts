import type { TenantSettings } from '#domain/tenant/state.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { getTenant } from '#queries/tenant/get.ts';
import { NotFound } from '#src/errors.ts';

/** The settings of a tenant as they are; none of one that is not there, or gone. */
export async function settingsOfTenant(
  dependencies: Pick<QueryDependencies, 'log' | 'stateSigner'>,
  tenantId: string,
): Promise<TenantSettings> {
  try {
    return (await getTenant(dependencies, tenantId)).settings;
  } catch (error) {
    if (error instanceof NotFound) return {};
    throw error;
  }
}
