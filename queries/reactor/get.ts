import { foldStream } from '#domain/fold.ts';
import { reactorStream } from '#domain/reactor/events.ts';
import { reactorFold } from '#domain/reactor/state.ts';
import type { LiveReactor } from '#domain/reactor/state.ts';
import type { KeyedQuery } from '#ports/readModels.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { latest } from '#queries/latest.ts';
import { reactorColumns, reactorOf } from '#queries/reactor/row.ts';
import type { ReactorRow } from '#queries/reactor/row.ts';
import { withConfiguration } from '#src/configurations.ts';
import type { WithConfiguration } from '#src/configurations.ts';
import { NotFound } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';

const byId: KeyedQuery = {
  name: 'reactor_by_id',
  text: `select ${reactorColumns} from read_models.reactors as reactor
    where reactor.tenant_id = tenant.id and reactor.id = any($2::uuid[])`,
};

/** One reactor with its configuration. spec: Get a Reactor @throws NotFound */
export async function getReactor(
  dependencies: QueryDependencies,
  tenantId: string,
  id: string,
): Promise<WithConfiguration<LiveReactor>> {
  if (!isUuid(id)) throw new NotFound();
  const row = await dependencies.readModels.row<ReactorRow>(tenantId, byId, id);
  const found = row && (await withConfiguration(dependencies.vault, reactorOf(row)));
  const reactor = found ?? (await latestReactor(dependencies, tenantId, id));
  if (reactor === undefined) throw new NotFound();
  return reactor;
}

/** See {@link latest}. */
export const latestReactor = (
  { log, vault }: QueryDependencies,
  tenantId: string,
  id: string,
): Promise<WithConfiguration<LiveReactor> | undefined> =>
  latest(
    async () => {
      const state = foldStream(reactorFold, await log.readStream(reactorStream(tenantId, id)));
      return state.status === 'live' ? state : undefined;
    },
    (reactor) => withConfiguration(vault, reactor),
  );
