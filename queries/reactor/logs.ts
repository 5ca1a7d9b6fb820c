import type { InvocationLog, ReactorLogs } from '#ports/reactorLogs.ts';
import type { Page, PageRequest, QueryDependencies } from '#queries/dependencies.ts';
import { findRunnableReactor } from '#queries/reactor/runnable.ts';

/** A page of what the last invocations of a reactor left to be read, newest first. @throws NotFound */
export async function listReactorLogs(
  dependencies: QueryDependencies & { reactorLogs: ReactorLogs },
  tenantId: string,
  reactorId: string,
  { page, size }: PageRequest,
): Promise<Page<InvocationLog>> {
  const { id } = await findRunnableReactor(dependencies, tenantId, reactorId);
  const all = await dependencies.reactorLogs.list(tenantId, id);
  const items = all.slice((page - 1) * size, page * size);
  return { items, totalItems: all.length, page, size };
}
