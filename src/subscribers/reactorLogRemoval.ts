import type { ReactorEvent } from '#domain/reactor/events.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { ReactorLogs } from '#ports/reactorLogs.ts';
import type { Subscriber } from '#ports/subscriber.ts';

type Deleted = Extract<ReactorEvent, { type: 'reactor.deleted' }>;

/** Forgets the logs of reactors that are gone. */
export const reactorLogRemoval = (reactorLogs: ReactorLogs): Subscriber => ({
  name: 'reactor_log_removal',
  types: ['reactor.deleted'] satisfies Deleted['type'][],
  from: 'beginning',
  handle: async (events) => {
    const byTenant = Map.groupBy(events, (event) => event.metadata.tenant_id);
    for (const [tenantId, ofTenant] of byTenant) {
      await reactorLogs.forget(
        tenantId,
        ofTenant.map((event) => (event as unknown as RecordedEvent & Deleted).data.id),
      );
    }
  },
});
