import type { RecordedEvent } from '#ports/eventLog.ts';

/** Something that the event stream drives. */
export type Subscriber = {
  /** Names its checkpoint for ever. */
  name: string;
  types: readonly string[];
  /** Where a subscriber that is new to a log starts. */
  from: 'beginning' | 'head';
  /** Must be idempotent: after a crash the same events come again. */
  handle(events: readonly RecordedEvent[]): Promise<void>;
};

/** One that writes to the database, in the transaction that moves its checkpoint: both happen, or neither. */
export type TransactionalSubscriber<Transaction> = Omit<Subscriber, 'handle'> & {
  handleWithin(transaction: Transaction, events: readonly RecordedEvent[]): Promise<void>;
};
