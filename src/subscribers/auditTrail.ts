import { eventTypes } from '#domain/catalog.ts';
import type { Audit, AuditedEvents } from '#ports/audit.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import { entryOfEvent } from '#src/audit/ofEvent.ts';

/** Gives every event its entry in the audit log. */
export const auditTrail = (audit: Audit, auditedEvents: AuditedEvents): Subscriber => ({
  name: 'audit_trail',
  types: eventTypes,
  from: 'beginning',
  handle: async (events) => {
    const audited = await auditedEvents.among(events.map(({ id }) => id));
    await audit.record(events.filter(({ id }) => !audited.has(id)).map(entryOfEvent));
  },
});
