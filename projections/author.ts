import type { RecordedEvent } from '#ports/eventLog.ts';

/** The application that did it, or null when it was an operator or the service itself. */
export const authorOf = ({ metadata: { actor } }: Pick<RecordedEvent, 'metadata'>): string | null =>
  actor.type === 'application' ? actor.id : null;
