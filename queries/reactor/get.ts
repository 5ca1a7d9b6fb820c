import { reactorStream } from '#domain/reactor/events.ts';
import { reactorFold } from '#domain/reactor/state.ts';
import type { LiveReactor } from '#domain/reactor/state.ts';
import type { KeyedQuery } from '#ports/readModels.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { latest } from '#queries/latest.ts';
import { reactorColumns, reactorOf, signedRow } from '#queries/reactor/row.ts';
import type { ReactorRow } from '#queries/reactor/row.ts';
import { withConfiguration } from '#src/configurations.ts';
import type { WithConfiguration } from '#src/configurations.ts';
import { NotFound } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';
import { isNewest, readSigned } from '#src/signedStreams.ts';

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
  const isShown = row !== undefined && (await isNewest(dependencies, signedRow(row)));
  const found = isShown ? await withConfiguration(dependencies.vault, reactorOf(row)) : undefined;
  const reactor = found ?? (await latestReactor(dependencies, tenantId, id));
  if (reactor === undefined) throw new NotFound();
  return reactor;
}

/** See {@link latest}. */
export const latestReactor = (
  dependencies: QueryDependencies,
  tenantId: string,
  id: string,
): Promise<WithConfiguration<LiveReactor> | undefined> =>
  latest(
    async () => {
      const state = await readSigned(dependencies, reactorStream(tenantId, id.toLowerCase()), reactorFold);
      return state.status === 'live' ? state : undefined;
    },
    (reactor) => withConfiguration(dependencies.vault, reactor),
  );
