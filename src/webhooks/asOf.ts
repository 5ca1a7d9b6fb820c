import { foldStream } from '#domain/fold.ts';
import { webhookStream } from '#domain/webhook/events.ts';
import { webhooksFold } from '#domain/webhook/state.ts';
import type { Webhooks } from '#domain/webhook/state.ts';
import type { EventLog, RecordedEvent } from '#ports/eventLog.ts';

/** Tenants whose webhooks are kept at hand. */
const mostKnown = 1_000;

type Known = {
  /** As of this ordinal: what was written before it is folded. */
  ordinal: bigint;
  webhooks: Webhooks;
  changes: readonly RecordedEvent[];
  /** So many of those are folded. */
  folded: number;
  /** What the stream goes on with. */
  revision: bigint;
};

const unknown: Known = {
  ordinal: 0n,
  webhooks: webhooksFold.initial,
  changes: [],
  folded: 0,
  revision: 0n,
};

/**
 * The webhooks of a tenant as they were when an event was written. Asked in the order of the log, each change is read
 * and folded once; all are read again only when older events come again.
 */
export function webhooksAsOf(log: Pick<EventLog, 'readStream'>): (event: RecordedEvent) => Promise<Webhooks> {
  const tenants = new Map<string, Known>();
  const keep = (tenantId: string, known: Known): void => {
    tenants.delete(tenantId);
    tenants.set(tenantId, known);
    for (const oldest of tenants.keys()) {
      if (tenants.size <= mostKnown) break;
      tenants.delete(oldest);
    }
  };
  return async (event) => {
    const tenantId = event.metadata.tenant_id;
    const before = tenants.get(tenantId);
    const isUsable = before !== undefined && before.ordinal <= event.ordinal;
    const started = isUsable ? before : unknown;
    const stream = webhookStream(tenantId);
    const isNews = event.stream === stream && event.revision >= started.revision;
    const read = isUsable && !isNews ? [] : await log.readStream(stream, started.revision);
    const known = foldedUpTo(event.ordinal, withMore(started, read));
    keep(tenantId, known);
    return known.webhooks;
  };
}

function withMore(known: Known, read: readonly RecordedEvent[]): Known {
  const last = read.at(-1);
  if (last === undefined) return known;
  const changes = [...known.changes.slice(known.folded), ...read];
  return { ...known, changes, folded: 0, revision: last.revision + 1n };
}

function foldedUpTo(ordinal: bigint, { changes, folded, webhooks, revision }: Known): Known {
  const isEarlier = (index: number): boolean => (changes[index]?.ordinal ?? ordinal) < ordinal;
  let end = folded;
  while (isEarlier(end)) end++;
  return {
    ordinal,
    webhooks: end === folded ? webhooks : foldStream(webhooksFold, changes.slice(folded, end), webhooks),
    changes,
    folded: end,
    revision,
  };
}
