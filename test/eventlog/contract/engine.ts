import type { EventLog } from '#ports/eventLog.ts';

/** One event log of the engine under test. */
export type Engine = {
  log: EventLog;
  /** Another process's view of the same log; closed with the engine. */
  open(): EventLog;
  /** Cuts off whoever is connected; the engine is back when it returns. Absent where that cannot be done. */
  interrupt?: () => Promise<void>;
  close(): Promise<void>;
};

export type Contract = {
  /** Registers one promise of the event log. */
  holds(promise: string, check: (engine: Engine) => Promise<void>): void;
};
