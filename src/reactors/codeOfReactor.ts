import type { QueryDependencies } from '#queries/dependencies.ts';
import { getReactor } from '#queries/reactor/get.ts';
import type { RunnableReactor } from '#queries/reactor/runnable.ts';
import type { TenantCode } from '#src/reactors/runCode.ts';

/** A reactor as code to run; it is read where it is not loaded yet. */
export const codeOfReactor = (dependencies: QueryDependencies, reactor: RunnableReactor): TenantCode => ({
  ...reactor,
  onBehalfOf: [reactor.id],
  load: async () => {
    const { record, configuration } = await getReactor(dependencies, reactor.tenantId, reactor.id);
    return { code: record.code, configuration, returns: 'result' };
  },
});
