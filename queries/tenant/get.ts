import { tenantStream } from '#domain/tenant/events.ts';
import { tenantFold } from '#domain/tenant/state.ts';
import type { LiveTenant } from '#domain/tenant/state.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { NotFound } from '#src/errors.ts';
import { readSigned } from '#src/signedStreams.ts';

/** The tenant itself. @throws NotFound */
export async function getTenant(
  dependencies: Pick<QueryDependencies, 'log' | 'stateSigner'>,
  tenantId: string,
): Promise<LiveTenant> {
  const state = await readSigned(dependencies, tenantStream(tenantId), tenantFold);
  if (state.status !== 'live') throw new NotFound();
  return state;
}
