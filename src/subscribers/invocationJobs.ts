import type { InvocationEvent } from '#domain/invocation/events.ts';
import type { Clock } from '#ports/clock.ts';
import type { RecordedEvent } from '#ports/eventLog.ts';
import type { Job, JobQueue } from '#ports/jobs.ts';
import type { Subscriber } from '#ports/subscriber.ts';

type Driving = Extract<
  InvocationEvent,
  { type: 'reactor.invoked' | 'reactor.completed' | 'reactor.failed' | 'reactor.callback.deferred' }
>;

/** Queues what follows from an invocation: the events are what cannot be lost, and jobs are made of them. */
export const invocationJobs = (queue: JobQueue, clock: Clock): Subscriber => ({
  name: 'invocation_jobs',
  types: ['reactor.invoked', 'reactor.completed', 'reactor.failed', 'reactor.callback.deferred'],
  from: 'beginning',
  handle: (events) =>
    queue.add(events.map((event) => jobOf(event as unknown as RecordedEvent & Driving, clock))),
});

function jobOf({ type, data, metadata }: RecordedEvent & Driving, clock: Clock): Job {
  const subject = { tenantId: metadata.tenant_id, id: data.request_id };
  switch (type) {
    case 'reactor.invoked':
      return { ...subject, task: 'run_invocation', key: `run ${data.request_id}` };
    case 'reactor.completed':
    case 'reactor.failed':
      return { ...subject, task: 'deliver_callback', key: `callback ${data.request_id} 1` };
    case 'reactor.callback.deferred':
      return {
        ...subject,
        task: 'deliver_callback',
        key: `callback ${data.request_id} ${data.attempt + 1}`,
        delay: Math.max(0, Date.parse(data.next_at) - clock.now().getTime()),
      };
  }
}
