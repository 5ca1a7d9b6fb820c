import { foldStream } from '#domain/fold.ts';
import { tenantStream } from '#domain/tenant/events.ts';
import { tenantFold } from '#domain/tenant/state.ts';
import type { LiveTenant } from '#domain/tenant/state.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { NotFound } from '#src/errors.ts';

/** The tenant itself. @throws NotFound */
export async function getTenant(
  { log }: Pick<QueryDependencies, 'log'>,
  tenantId: string,
): Promise<LiveTenant> {
  const state = foldStream(tenantFold, await log.readStream(tenantStream(tenantId)));
  if (state.status !== 'live') throw new NotFound();
  return state;
}
