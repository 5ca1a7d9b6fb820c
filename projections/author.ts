import { authorOf as applicationOf } from '#domain/event.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';

/** The application that did it, or null when it was an operator or the service itself. */
export const authorOf = (event: Pick<RecordedEvent, 'metadata'>): string | null =>
  applicationOf(event) ?? null;
