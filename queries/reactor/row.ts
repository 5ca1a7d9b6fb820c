import { reactorStream } from '#domain/reactor/events.ts';
import { signedReactor } from '#domain/reactor/state.ts';
import type { LiveReactor } from '#domain/reactor/state.ts';
import { authorshipOf } from '#queries/authorship.ts';
import type { AuthorshipRow } from '#queries/authorship.ts';
import type { SignedState } from '#ports/stateSigner.ts';
import { signedStateOf } from '#src/signedStreams.ts';
import type { SignedRow } from '#src/signedStreams.ts';

/** A row of the view of reactors. */
export type ReactorRow = AuthorshipRow &
  SignedRow & {
    key: string;
    tenant_id: string;
    name: string;
    code: string;
    application_id: string | null;
    payload_id: string;
  };

export const reactorColumns = `reactor.id::text as key, reactor.tenant_id, reactor.name, reactor.code,
  reactor.application_id, reactor.payload_id, reactor.revision, reactor.mac, reactor.created_by, reactor.created_at, reactor.modified_by,
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

/** What of a row is signed. */
export const signedRow = (row: ReactorRow): SignedState =>
  signedStateOf(reactorStream(row.tenant_id, row.key), signedReactor(reactorOf(row)), row);
