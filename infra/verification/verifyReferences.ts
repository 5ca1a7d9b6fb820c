import type pg from 'pg';
import { isForgotten, payloadBringing, payloadsBroughtBy } from '#domain/payloads.ts';
import type { EventLog, Position, RecordedEvent } from '#ports/eventLog.ts';

/** Events that are read at once. */
const pageSize = 2_000;

export type ReferencesVerified = { references: number; faults: string[] };

export type VerifyReferencesOptions = {
  /** Connections of the owner. */
  database: Pick<pg.Pool, 'query'>;
  log: EventLog;
  onProgress?: (references: number) => void;
};

type Reference = { tenantId: string; stream: string; payloadId: string };

/** Finds what events say is in the vault, and is not. What goes meanwhile does not disturb it. */
export async function verifyReferences(options: VerifyReferencesOptions): Promise<ReferencesVerified> {
  const faults: string[] = [];
  let references = 0;
  for await (const events of pages(options.log)) {
    const named = events.flatMap(referencesOf);
    for (const reference of await withoutPayload(options.database, named)) {
      const { stream, payloadId } = reference;
      // An event says that a payload goes before it goes: whoever reads the stream after that finds it.
      if (isForgotten(payloadId, await options.log.readStream(stream))) continue;
      faults.push(`stream ${stream}: its payload ${payloadId} is missing from the vault`);
    }
    references += named.length;
    options.onProgress?.(references);
  }
  return { references, faults };
}

const referencesOf = (event: RecordedEvent): Reference[] =>
  payloadsBroughtBy(event).map((payloadId) => ({
    tenantId: event.metadata.tenant_id,
    stream: event.stream,
    payloadId,
  }));

async function* pages(log: EventLog): AsyncGenerator<RecordedEvent[]> {
  let after: Position | null = null;
  for (;;) {
    const page: Awaited<ReturnType<EventLog['readAll']>> = await log.readAll(
      after,
      pageSize,
      payloadBringing,
    );
    yield page.events;
    if (page.atHead || page.scanned === null) return;
    after = page.scanned;
  }
}

/** Of tenants that still have their keys. */
async function withoutPayload(
  database: Pick<pg.Pool, 'query'>,
  references: readonly Reference[],
): Promise<Reference[]> {
  const { rows } = await database.query<{ n: string }>({
    name: 'references without payload',
    text: `select n from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as wanted (tenant_id, id, stream, n)
      where not exists (select from vault.payloads p where p.tenant_id = wanted.tenant_id and p.id = wanted.id and p.stream = wanted.stream)
        and not exists (select from vault.destroyed_tenants d where d.tenant_id = wanted.tenant_id)`,
    values: [
      references.map(({ tenantId }) => tenantId),
      references.map(({ payloadId }) => payloadId),
      references.map(({ stream }) => stream),
    ],
  });
  return rows.flatMap(({ n }) => references[Number(n) - 1] ?? []);
}
