import { codeOf, reactorIdOf } from '#domain/proxy/state.ts';
import type { Transform } from '#domain/proxy/state.ts';
import { withoutNulls } from '#http/presenters/withoutNulls.ts';
import type { ProxyWithSecrets } from '#src/proxySecrets.ts';

/** A proxy as it goes out. Source: reference of proxies. @param showsSecrets whether the caller may read them */
export const presentProxy = ({ record, secrets }: ProxyWithSecrets, showsSecrets: boolean): object =>
  withoutNulls({
    id: record.id,
    tenant_id: record.tenantId,
    state: 'active',
    name: record.name,
    key: showsSecrets ? secrets.key : undefined,
    destination_url: showsSecrets ? secrets.destinationUrl : undefined,
    request_transform: codeIn(record.requestTransform),
    response_transform: codeIn(record.responseTransform),
    request_transforms: listIn(record.requestTransform),
    response_transforms: listIn(record.responseTransform),
    request_reactor_id: reactorIdOf(record.requestTransform),
    response_reactor_id: reactorIdOf(record.responseTransform),
    application_id: record.applicationId,
    configuration: showsSecrets ? secrets.configuration : undefined,
    require_auth: record.requireAuth,
    created_by: record.createdBy,
    created_at: record.createdAt,
    modified_by: record.modifiedBy,
    modified_at: record.modifiedAt,
  });

function codeIn(transform: Transform | undefined): { code: string } | undefined {
  const code = codeOf(transform);
  return code === undefined ? undefined : { code };
}

/** Newer clients read transforms from lists alone, older ones know no lists. */
function listIn(transform: Transform | undefined): { type: 'code'; code: string }[] | undefined {
  const code = codeOf(transform);
  return code === undefined ? undefined : [{ type: 'code', code }];
}
