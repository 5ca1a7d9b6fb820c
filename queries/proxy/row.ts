import { proxyStream } from '#domain/proxy/events.ts';
import { signedProxy, transformOf } from '#domain/proxy/state.ts';
import type { LiveProxy } from '#domain/proxy/state.ts';
import { authorshipOf } from '#queries/authorship.ts';
import type { AuthorshipRow } from '#queries/authorship.ts';
import type { SignedState } from '#ports/stateSigner.ts';
import { signedStateOf } from '#src/signedStreams.ts';
import type { SignedRow } from '#src/signedStreams.ts';

/** A row of the view of proxies. */
export type ProxyRow = AuthorshipRow &
  SignedRow & {
    key: string;
    tenant_id: string;
    name: string;
    request_transform: string | null;
    response_transform: string | null;
    request_reactor_id: string | null;
    response_reactor_id: string | null;
    application_id: string | null;
    require_auth: boolean;
    payload_id: string;
  };

export const proxyColumns = `proxy.id::text as key, proxy.tenant_id, proxy.name, proxy.request_transform,
  proxy.response_transform, proxy.request_reactor_id, proxy.response_reactor_id, proxy.application_id,
  proxy.require_auth, proxy.payload_id, proxy.revision, proxy.mac, proxy.created_by, proxy.created_at, proxy.modified_by, proxy.modified_at`;

export const proxyOf = (row: ProxyRow): LiveProxy => ({
  status: 'live',
  id: row.key,
  tenantId: row.tenant_id,
  name: row.name,
  requestTransform: transformOf(row.request_transform, row.request_reactor_id),
  responseTransform: transformOf(row.response_transform, row.response_reactor_id),
  applicationId: row.application_id ?? undefined,
  requireAuth: row.require_auth,
  payloadId: row.payload_id,
  ...authorshipOf(row),
});

/** What of a row is signed. */
export const signedRow = (row: ProxyRow): SignedState =>
  signedStateOf(proxyStream(row.tenant_id, row.key), signedProxy(proxyOf(row)), row);
