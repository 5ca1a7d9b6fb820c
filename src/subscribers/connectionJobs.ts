import type { JobQueue } from '#ports/jobs.ts';
import type { Subscriber } from '#ports/subscriber.ts';

/** Queues a look at the credentials of each connection that is new or changed. */
export const connectionJobs = (queue: JobQueue): Subscriber => ({
  name: 'connection_jobs',
  types: ['connection.created', 'connection.updated'],
  from: 'beginning',
  handle: (events) =>
    queue.add(
      events.map(({ id: eventId, data, metadata }) => {
        const id = String(data['id']);
        return {
          task: 'check_credentials' as const,
          tenantId: metadata.tenant_id,
          id,
          key: `check ${id} ${eventId}`,
        };
      }),
    ),
});
