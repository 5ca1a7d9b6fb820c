import type { LiveReactor } from '#domain/reactor/state.ts';
import { authorshipOf } from '#queries/authorship.ts';
import type { AuthorshipRow } from '#queries/authorship.ts';

/** A row of the view of reactors. */
export type ReactorRow = AuthorshipRow & {
  key: string;
  tenant_id: string;
  name: string;
  code: string;
  application_id: string | null;
  payload_id: string;
};

export const reactorColumns = `reactor.id::text as key, reactor.tenant_id, reactor.name, reactor.code,
  reactor.application_id, reactor.payload_id, reactor.created_by, reactor.created_at, reactor.modified_by,
  reactor.modified_at`;

export const reactorOf = (row: ReactorRow): LiveReactor => ({
  status: 'live',
  id: row.key,
  tenantId: row.tenant_id,
  name: row.name,
  code: row.code,
  applicationId: row.application_id ?? undefined,
  payloadId: row.payload_id,
  ...authorshipOf(row),
});
