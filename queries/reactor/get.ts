import { foldStream } from '#domain/fold.ts';
import { reactorStream } from '#domain/reactor/events.ts';
import { reactorFold } from '#domain/reactor/state.ts';
import type { LiveReactor } from '#domain/reactor/state.ts';
import type { KeyedQuery } from '#ports/readModels.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
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

const mostAttempts = 10;

/** The view may be behind, or the configuration was replaced under our eyes: the stream knows. */
export async function latestReactor(
  { log, vault }: QueryDependencies,
  tenantId: string,
  id: string,
): Promise<WithConfiguration<LiveReactor> | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const state = foldStream(reactorFold, await log.readStream(reactorStream(tenantId, id)));
    if (state.status !== 'live') return undefined;
    const found = await withConfiguration(vault, state);
    // Replaced again between the two: whoever changes it so often must not make it seem gone.
    if (found !== undefined || attempt === mostAttempts) return found;
  }
}
