import { authorOf as applicationOf } from '#domain/event.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';

/** The application that did it, or null when it was an operator or the service itself. */
export const authorOf = (event: Pick<RecordedEvent, 'metadata'>): string | null =>
  applicationOf(event) ?? null;

/** The columns of {@link creation} and {@link modification}. */
export const authorColumns = {
  created_by: 'uuid',
  created_at: 'timestamptz',
  modified_by: 'uuid',
  modified_at: 'timestamptz',
  ordinal: 'int8',
} as const;

/** The columns that say who made a record, for the event that did. */
export const creation = (event: RecordedEvent) => ({
  created_by: authorOf(event),
  created_at: event.metadata.occurred_at,
  modified_by: null,
  modified_at: null,
  ordinal: event.ordinal,
});

/** The columns that say who changed a record last, for the event that did. */
export const modification = (event: RecordedEvent) => ({
  modified_by: authorOf(event),
  modified_at: event.metadata.occurred_at,
});

/** The columns of {@link signature}. */
export const signatureColumns = { revision: 'int8', mac: 'text' } as const;

/** What a row needs, beside what is signed, to be held against its stream. */
export const signature = (event: RecordedEvent) => ({
  revision: event.revision,
  mac: event.metadata.mac ?? null,
});
