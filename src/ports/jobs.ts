/** What is to be done about something, named by ids: a queue keeps nothing that is secret. */
export type Job = {
  task: 'run_invocation' | 'deliver_callback' | 'check_credentials' | 'begin_update' | 'update_chunk';
  tenantId: string;
  id: string;
  /** A job with a key that is queued, or under way, is not added again. */
  key: string;
  /** In milliseconds; by default at once. */
  delay?: number;
};

/** Jobs that outlast the process. */
export interface JobQueue {
  /** Durable when it returns. */
  add(jobs: readonly Job[]): Promise<void>;
}

/** Does the jobs of one name. One that throws comes again, so whatever it did must be recognised. */
export type Task = {
  name: Job['task'];
  /** So many are done at a time by one process. */
  concurrency: number;
  /** Of these, so many of one tenant, and not more than are left free: no tenant keeps others waiting. */
  concurrencyOfTenant: number;
  run(subject: { tenantId: string; id: string }): Promise<void>;
};
