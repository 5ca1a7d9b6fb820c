/** Something that is done again and again, by one process at a time. */
export type Timer = {
  name: string;
  /** A cron expression of five or, with seconds first, six fields. */
  schedule: string;
  run(): Promise<void>;
};
