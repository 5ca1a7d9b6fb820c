import { createJobQueue } from '#infra/jobs/queue.ts';
import type { Task } from '#ports/jobs.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import { checkCredentials } from '#src/jobs/checkCredentials.ts';
import type { Composition } from '#src/main/compose.ts';
import { connectionJobs } from '#subscribers/connectionJobs.ts';
import { connectionRemoval } from '#subscribers/connectionRemoval.ts';

const checks = { concurrency: 8, concurrencyOfTenant: 4 };

/** What a worker does for connections. */
export function connectionWork(composition: Composition): {
  subscribers: readonly Subscriber[];
  tasks: readonly Task[];
} {
  const { pools, vault, paymentProviders } = composition;
  return {
    subscribers: [connectionJobs(createJobQueue(pools.owner)), connectionRemoval(vault)],
    tasks: [checkCredentials(composition, { ...checks, paymentProviders })],
  };
}
