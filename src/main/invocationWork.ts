import { createJobQueue } from '#infra/jobs/queue.ts';
import type { Task } from '#ports/jobs.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import { deliverCallback } from '#src/jobs/deliverCallback.ts';
import { retryDelays } from '#src/outgoing/schedule.ts';
import { runInvocation } from '#src/jobs/runInvocation.ts';
import type { Composition } from '#src/main/compose.ts';
import type { Reactors } from '#src/reactors/invocation.ts';
import { invocationJobs } from '#subscribers/invocationJobs.ts';

const runs = { concurrency: 16, concurrencyOfTenant: 8 };
/** They only wait for their receivers, some of which hang. */
const callbacks = { concurrency: 32, concurrencyOfTenant: 8 };

export type InvocationSettings = {
  /** Of one run, in milliseconds. */
  timeLimit?: number;
  /** Pauses before callbacks are tried again, in milliseconds. */
  callbackDelays?: readonly number[];
};

export type InvocationWork = {
  /** Queues what follows from the events of invocations. */
  subscriber: Subscriber;
  tasks: readonly Task[];
};

/** What a worker does for asynchronous invocations. */
export function invocationWork(
  composition: Composition,
  reactors: Reactors,
  {
    timeLimit = composition.config.reactorAsyncTimeout,
    callbackDelays: delays = retryDelays,
  }: InvocationSettings,
): InvocationWork {
  const { pools, clock, outbound, messageSigner: signer } = composition;
  return {
    subscriber: invocationJobs(createJobQueue(pools.owner), clock),
    tasks: [
      runInvocation(composition, { ...runs, reactors, timeLimit }),
      deliverCallback(composition, { ...callbacks, outbound, signer, delays }),
    ],
  };
}
