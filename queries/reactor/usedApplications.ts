import type { LiveApplication } from '#domain/application/state.ts';
import type { LiveReactor } from '#domain/reactor/state.ts';
import { getApplication } from '#queries/application/get.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { NotFound } from '#src/errors.ts';

/** The applications that reactors of a tenant use, by id; those that are gone are not there. */
export async function usedApplications(
  dependencies: QueryDependencies,
  tenantId: string,
  reactors: readonly Pick<LiveReactor, 'applicationId'>[],
): Promise<ReadonlyMap<string, LiveApplication>> {
  const ids = new Set(reactors.flatMap(({ applicationId }) => applicationId ?? []));
  const found = await Promise.all([...ids].map((id) => findApplication(dependencies, tenantId, id)));
  return new Map(found.flatMap((application) => (application ? [[application.id, application]] : [])));
}

const findApplication = (
  dependencies: QueryDependencies,
  tenantId: string,
  id: string,
): Promise<LiveApplication | undefined> =>
  getApplication(dependencies, tenantId, id).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
