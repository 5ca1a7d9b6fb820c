import type { LogPlace } from '#queries/log/filter.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';

/** Who reads the log. */
export type LogReader = { tenantId: string; applicationId: string; keyId: string };

/** For so long the pages that follow belong to a first one, in milliseconds. */
const firstPageLasts = 3_600_000;

/**
 * Of the last first page that a reader was shown: just before the entry of that reading, or the newest entry that was
 * shown, should that be newer. The former names the latter in its detail. Only one index has this order, so that no other entries are read.
 */
const text = `
  select place.occurred_at, place.writer_id, place.sequence from (
    select entry.occurred_at, entry.writer_id, entry.sequence, entry.detail from audit.entries as entry
    where entry.tenant_id = tenant.id
      and (entry.entity_type, entry.entity_id, entry.occurred_at) between ('log', '', $2) and ('log', '', timestamptz 'infinity')
      and entry.actor_id = $3 and entry.key_id = $4
      and entry.operation = 'read' and entry.outcome = 'succeeded' and entry.detail ~ '^[0-9a-f-]{36}[.][0-9]{1,18}$'
    order by entry.entity_type desc, entry.entity_id desc, entry.occurred_at desc limit 1
  ) as shown cross join lateral (
    select shown.occurred_at, shown.writer_id, shown.sequence - 1 as sequence
    union all
    select newest.occurred_at, newest.writer_id, newest.sequence from audit.entries as newest
    where newest.tenant_id = tenant.id and newest.writer_id = split_part(shown.detail, '.', 1)::uuid
      and newest.sequence = split_part(shown.detail, '.', 2)::int8
  ) as place
  order by place.occurred_at desc, place.writer_id desc, place.sequence desc limit 1`;

/**
 * Up to where the log goes for pages behind the first: each reading is an entry, by which pages would shift while they are
 * read. Entries that the reader's first page has shown are never beyond it.
 * @returns undefined when the reader has seen no first page within an hour
 */
export async function endOfFirstPage(
  { readModels, clock }: Pick<QueryDependencies, 'readModels' | 'clock'>,
  { tenantId, applicationId, keyId }: LogReader,
): Promise<LogPlace | undefined> {
  const since = new Date(clock.now().getTime() - firstPageLasts);
  const [row] = await readModels.rows<{ occurred_at: Date; writer_id: string; sequence: string }>(
    tenantId,
    { name: 'logs first page', text },
    [since, applicationId, keyId],
  );
  return row && { occurredAt: row.occurred_at, writerId: row.writer_id, sequence: row.sequence };
}
