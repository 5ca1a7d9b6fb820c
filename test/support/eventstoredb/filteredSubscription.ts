import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Generation } from '#test/support/eventstoredb/generation.ts';
import {
  caughtUpResponse,
  checkpointResponse,
  confirmationResponse,
  eventResponse,
} from '#test/support/eventstoredb/messages.ts';
import type { Place } from '#test/support/eventstoredb/messages.ts';
import type { LogRecord, RecordLog } from '#test/support/eventstoredb/recordLog.ts';
import { filterOf, startOf } from '#test/support/eventstoredb/subscriptionRequest.ts';

export type Client = {
  send: (response: ReadResp) => void;
  fail: (code: number, details: string) => void;
};

/** Records that a server looks at in one go while it catches up. */
const pageSize = 32;
const none = 2n ** 64n - 1n;
/** More than so many records at once are more than a live subscription takes. */
const liveBuffer = 64;
/** 23.10 hands large appends on with a delay, in milliseconds, and gives up when too much has come meanwhile. */
const delayOfLarge = 150;
const tooMuch = 512;
const sentBeforeGivingUp = 345;

/** A filtered subscription to `$all`, with the checkpoints that each generation sends. */
export class FilteredSubscription {
  readonly #log: RecordLog;
  readonly #generation: Generation;
  readonly #client: Client;
  readonly #matches: (record: LogRecord) => boolean;
  readonly #interval: number;
  /** Records at or before it are never sent. */
  #after: bigint;
  #next = 0;
  #considered = 0;
  #lastCheckpoint = -1n;
  #lastSent: Place | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #onAppended = () => {
    this.#takeLive();
  };

  constructor(log: RecordLog, generation: Generation, options: ReadReq.Options, client: Client) {
    this.#log = log;
    this.#generation = generation;
    this.#client = client;
    this.#matches = filterOf(options);
    this.#interval = pageSize * (options.getFilter()?.getCheckpointintervalmultiplier() ?? 1);
    const start = startOf(options, log);
    this.#after = start.commit;
    // Only 23.10 passes over the record that a position without a prepare names.
    if (start.prepare === 0n && start.commit > 0n && generation !== '23.10.6') this.#after -= 1n;
    // 23.10 counts a record that nobody sees before the first, and passes over the one that it starts from.
    const named = start.prepare !== 0n || start.commit === 0n;
    const anchored = generation === '23.10.6' ? start.fromBeginning : named;
    client.send(confirmationResponse(crypto.randomUUID()));
    this.#catchUp(anchored || start.fromBeginning, start);
    if (generation !== '23.10.6' && start.commit > log.end) this.#after = none;
    log.on('appended', this.#onAppended);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#log.off('appended', this.#onAppended);
  }

  /** @param anchored whether the place that it starts from counts as a record looked at */
  #catchUp(anchored: boolean, start: Place & { fromBeginning?: boolean }): void {
    const found = this.#log.records.findIndex(({ position }) => position > this.#after);
    this.#next = found < 0 ? this.#log.records.length : found;
    const ahead = this.#log.records.slice(this.#next);
    this.#next = this.#log.records.length;
    const looked = [...(anchored ? [undefined] : []), ...ahead];
    this.#considered = 0;
    this.#lastSent = undefined;
    let page = start.fromBeginning === true ? { commit: 0n, prepare: 0n } : plain(start);
    for (let from = 0; from < looked.length; from += pageSize) {
      const records = looked.slice(from, from + pageSize);
      if (from > 0) page = { commit: records[0]?.position ?? 0n, prepare: 0n };
      this.#takePage(records, page);
    }
    if (looked.length % pageSize === 0 && looked.length > 0) page = { commit: this.#log.end, prepare: 0n };
    if (this.#generation !== '23.10.6') {
      if (ahead.length > 0 || start.fromBeginning === true) this.#checkpointOnGoingLive(start, page);
      this.#considered = 0;
    }
    this.#client.send(caughtUpResponse());
  }

  #takePage(records: readonly (LogRecord | undefined)[], page: Place): void {
    let sent: Place | undefined;
    for (const record of records) {
      if (record !== undefined && this.#send(record)) sent = placeOf(record);
    }
    this.#considered += records.length;
    if (this.#considered < this.#interval) return;
    this.#considered -= this.#interval;
    this.#checkpoint(sent ?? page);
  }

  #checkpointOnGoingLive(start: Place & { fromBeginning?: boolean }, page: Place): void {
    const fromBeginning = start.fromBeginning === true;
    let reached = this.#lastSent ?? (fromBeginning ? undefined : plain(start));
    if (this.#generation === '25.0.0') reached = later(reached ?? { commit: 0n, prepare: 0n }, page);
    if (reached === undefined) {
      if (this.#lastCheckpoint < 0n) this.#client.send(checkpointResponse({ commit: none, prepare: none }));
      return;
    }
    if (reached.commit > this.#lastCheckpoint) this.#checkpoint(reached);
  }

  #takeLive(): void {
    if (this.#after === none) return;
    const waiting = this.#log.records.length - this.#next;
    if (this.#generation === '23.10.6') {
      if (waiting <= liveBuffer) this.#takeEach(this.#log.records.length);
      else this.#takeLater();
      return;
    }
    if (waiting <= liveBuffer) this.#takeEach(this.#log.records.length);
    else this.#fallBehind(waiting);
  }

  #takeEach(until: number): void {
    for (const record of this.#log.records.slice(this.#next, until)) {
      this.#next += 1;
      this.#considered += 1;
      if (record.position <= this.#after && this.#generation !== '23.10.6') continue;
      this.#send(record);
      if (this.#considered % this.#interval === 0) this.#checkpoint(placeOf(record));
    }
  }

  #takeLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#log.records.length - this.#next <= tooMuch) {
        this.#takeEach(this.#log.records.length);
        return;
      }
      this.#takeEach(this.#next + sentBeforeGivingUp);
      this.end();
      this.#client.fail(
        10,
        'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
      );
    }, delayOfLarge);
  }

  /** 24.10 and 25.0 do not give up: they read what has come from the log. */
  #fallBehind(waiting: number): void {
    const passed = this.#generation === '25.0.0' && waiting <= 2 * liveBuffer ? pageSize + 1 : 0;
    this.#takeEach(this.#next + passed);
    const last = this.#log.records[this.#next - 1];
    if (last === undefined) {
      this.#catchUp(true, { commit: 0n, prepare: 0n, fromBeginning: true });
      return;
    }
    if (last.position > this.#lastCheckpoint) this.#checkpoint(placeOf(last));
    this.#after = last.position;
    this.#catchUp(true, placeOf(last));
  }

  #send(record: LogRecord): boolean {
    if (!this.#matches(record)) return false;
    this.#client.send(eventResponse(record));
    this.#lastSent = placeOf(record);
    return true;
  }

  #checkpoint(place: Place): void {
    this.#lastCheckpoint = place.commit;
    this.#client.send(checkpointResponse(place));
  }
}

function placeOf({ position }: LogRecord): Place {
  return { commit: position, prepare: position };
}

function plain({ commit, prepare }: Place): Place {
  return { commit, prepare };
}

function later(a: Place, b: Place): Place {
  if (a.commit === b.commit) return a.prepare < b.prepare ? b : a;
  return a.commit < b.commit ? b : a;
}
