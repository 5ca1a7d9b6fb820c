/** How long one test took, in milliseconds, and how much of that the processor worked for the file's process. */
export type TestTime = { suite: string; test: string; wall: number; processor: number };

/** Where the time of a file went, in milliseconds. */
export type FileTimes = {
  wall: number;
  /** Loading the file and what it imports. */
  modules: number;
  /** `before` and `after` hooks. */
  hooks: number;
  tests: number;
  /** Of the process that ran it. */
  processor: number;
  /** Of the processes that it started and that have ended. */
  children: number;
  /** Each helper that was started, and for how long the file waited for it. */
  helpers: Record<string, { count: number; milliseconds: number }>;
};

/** What came of one file. */
export type FileResult = {
  path: string;
  passed: number;
  failed: number;
  skipped: number;
  /** What is wrong beside what `output` tells. */
  reasons: string[];
  output: string;
  times: FileTimes;
  tests: TestTime[];
  /** Of its process, in bytes. */
  memory?: number;
};

/** The result of a file whose process could not say one itself. */
export const brokenFile = (path: string, reason: string, output: string, wall: number): FileResult => ({
  path,
  passed: 0,
  failed: 1,
  skipped: 0,
  reasons: [reason],
  output,
  times: { wall, modules: 0, hooks: 0, tests: 0, processor: 0, children: 0, helpers: {} },
  tests: [],
});
