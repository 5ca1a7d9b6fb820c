import type { LiveApplication } from '#domain/application/state.ts';
import type { LiveReactor } from '#domain/reactor/state.ts';
import { presentUsedApplication } from '#http/presenters/application.ts';
import { withoutNulls } from '#http/presenters/withoutNulls.ts';
import type { Configuration } from '#src/configurations.ts';

/**
 * A reactor as it goes out. spec: Reactor
 * @param configuration undefined: the caller may not read it
 * @param application undefined: it has none, or that is gone
 */
export const presentReactor = (
  reactor: LiveReactor,
  configuration: Configuration | undefined,
  application: LiveApplication | undefined,
): object =>
  withoutNulls({
    id: reactor.id,
    tenant_id: reactor.tenantId,
    state: 'active',
    name: reactor.name,
    code: reactor.code,
    configuration,
    application: application && presentUsedApplication(application),
    created_by: reactor.createdBy,
    created_at: reactor.createdAt,
    modified_by: reactor.modifiedBy,
    modified_at: reactor.modifiedAt,
  });
