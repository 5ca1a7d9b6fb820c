import type { Transform } from '#domain/application/events.ts';
import type { Json } from '#ports/json.ts';

export type IdempotencyScope = {
  tenantId: string;
  applicationId: string;
  method: string;
  /** The route's pattern with its parameters filled in. */
  route: string;
  key: string;
};

export type StoredAnswer = {
  status: number;
  body: Json | undefined;
  /** The tokens that it shows something of, and how much. */
  shown?: readonly { id: string; transform: Transform; rendered?: Transform }[];
};

export type IdempotencyClaim =
  /** The caller holds the lease and runs the command under this id, under which it may have run before. */
  | { outcome: 'run'; commandId: string; repeated: boolean }
  | { outcome: 'answered'; answer: StoredAnswer }
  | { outcome: 'in_flight' };

/** Answers by idempotency key, for 24 hours; only successes are kept. */
export interface Idempotency {
  /** A lease that ran out is taken over under the same command id. */
  claim(scope: IdempotencyScope): Promise<IdempotencyClaim>;
  /**
   * Keeps the answer (encrypted). `sensitive` answers live an hour at most. Like `release` it takes the very
   * object that the claim was made with, and does nothing when the lease was taken over since.
   */
  succeed(scope: IdempotencyScope, answer: StoredAnswer, sensitive: boolean): Promise<void>;
  /** Forgets the claim, so that the key may be used again. */
  release(scope: IdempotencyScope): Promise<void>;
  /** Ends the lease when it is not known what happened: the next claim takes it over at once. */
  abandon(scope: IdempotencyScope): Promise<void>;
}
