import { START } from '@eventstore/db-client';
import type { AllStreamResolvedEvent, AllStreamSubscription } from '@eventstore/db-client';
import type { Connection } from '#infra/eventlog/eventstoredb/connection.ts';
import {
  formatPosition,
  isNowhere,
  isOfRecord,
  laterPosition,
  parsePosition,
} from '#infra/eventlog/eventstoredb/positions.ts';
import type { Wakeup } from '#infra/eventlog/wakeup.ts';
import type { Position } from '#ports/eventLog.ts';

type ServerRecord = NonNullable<AllStreamResolvedEvent['event']>;

export type Taken = {
  records: ServerRecord[];
  /** How far the server has looked; null when it said nothing. */
  scanned: Position | null;
  /** A place between records, or behind the last one, before which the server has looked at everything. */
  before: Position | null;
  caughtUp: boolean;
};

/** Records that the client holds before it stops reading from the server. */
const bufferSize = 1_000;
/** A checkpoint comes after so many of the server's search windows (of 32 records) without a match. */
const checkpointInterval = 8;

/** One subscription of the client. It lives until its first failure: the client never resumes by itself. */
export class LiveSubscription {
  readonly #subscription: AllStreamSubscription;
  #checkpoint: Position | null = null;
  #before: Position | null = null;
  #caughtUp = false;
  #failure: Error | undefined;

  /** Wakes whenever {@link take} has something new to say. */
  constructor({ client, names }: Connection, after: Position | null, wakeup: Wakeup) {
    const filter = names.serverFilter({
      checkpointInterval,
      checkpointReached: (_subscription, position) => {
        // Whoever starts at a place that is no record's may pass over a record.
        if (isOfRecord(position)) this.#checkpoint = formatPosition(position);
        else if (!isNowhere(position)) this.#before = formatPosition(position);
        wakeup.wake();
      },
    });
    const fromPosition = after === null ? START : parsePosition(after);
    this.#subscription = client.subscribeToAll({ fromPosition, filter }, { highWaterMark: bufferSize });
    const end = (error?: Error) => {
      this.#failure ??= error ?? new Error('the server ended the subscription');
      wakeup.wake();
    };
    this.#subscription
      .on('error', end)
      .on('end', end)
      .on('readable', () => {
        wakeup.wake();
      })
      .on('caughtUp', () => {
        this.#caughtUp = true;
        wakeup.wake();
      })
      .on('fellBehind', () => {
        this.#caughtUp = false;
      });
  }

  /**
   * Everything that has arrived. The buffer is emptied without a pause in between, so that no record that came
   * before the last checkpoint is left in it: such a record would be lost to a reader who resumes from there.
   * @throws what ended the subscription
   */
  take(): Taken {
    if (this.#failure !== undefined) throw this.#failure;
    const records: ServerRecord[] = [];
    for (let next = this.#read(); next !== null; next = this.#read()) {
      if (next.event !== undefined) records.push(next.event);
    }
    const last = records.at(-1)?.position;
    const scanned = laterPosition(last === undefined ? null : formatPosition(last), this.#checkpoint);
    const before = this.#before;
    this.#checkpoint = null;
    this.#before = null;
    return { records, scanned, before, caughtUp: this.#caughtUp };
  }

  close(): void {
    this.#subscription.unsubscribe().catch(() => undefined);
  }

  #read(): AllStreamResolvedEvent | null {
    return this.#subscription.read();
  }
}
