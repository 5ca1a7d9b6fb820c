import type { AllStreamResolvedEvent, JSONEventType, ResolvedEvent } from '@eventstore/db-client';
import { formatPosition } from '#infra/eventlog/eventstoredb/positions.ts';
import type { StreamNames } from '#infra/eventlog/eventstoredb/streamNames.ts';
import type { EventMetadata, RecordedEvent } from '#ports/eventLog.ts';
import type { JsonObject } from '#ports/json.ts';

/** How the domain's events lie on the server. */
export type StoredEvent = JSONEventType<string, JsonObject, EventMetadata>;

type StoredRecord = NonNullable<ResolvedEvent<StoredEvent>['event']>;
type AnyRecord = NonNullable<AllStreamResolvedEvent['event']> | StoredRecord;

/** The events of the domain among the server's records, of these types if some are given. */
export function domainEvents(
  records: readonly AnyRecord[],
  names: StreamNames,
  types?: readonly string[],
): RecordedEvent[] {
  return records
    .filter((record) => types === undefined || types.includes(record.type))
    .filter((record) => names.isDomain(record.streamId))
    .filter(isStoredEvent)
    .map((record) => recordedEvent(record, names));
}

function recordedEvent(record: StoredRecord, names: StreamNames): RecordedEvent {
  const { id, type, data, metadata, streamId, revision, position } = record;
  if (position === undefined) throw new Error('the event log gives no positions: EventStoreDB is too old');
  return {
    id,
    type,
    data,
    metadata,
    stream: names.inDomain(streamId),
    revision,
    position: formatPosition(position),
    ordinal: position.commit,
  };
}

/** Someone else's events may lie on a shared server, with data and metadata of any shape, or none. */
function isStoredEvent(record: AnyRecord): record is StoredRecord {
  if (!record.isJson || !isObject(record.data) || !isObject(record.metadata)) return false;
  return typeof record.metadata['tenant_id'] === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}
