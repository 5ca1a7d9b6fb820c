import type { EventLog, LogPage, Position } from '#ports/eventLog.ts';
import type { Logger } from '#ports/logger.ts';

/** A follower for whom more events than this wait is behind, and has to read the log by itself. */
const mostWaiting = 20_000;

/** Takes the pages of a subscription that others share. */
export class Follower {
  /** What came up to here is not among the pages. */
  readonly start: Position | null;
  readonly #onClose: (follower: Follower) => void;
  #pages: LogPage[] = [];
  #waiting = 0;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(start: Position | null, onClose: (follower: Follower) => void) {
    this.start = start;
    this.#onClose = onClose;
  }

  get isEmpty(): boolean {
    return this.#pages.length === 0;
  }

  give(page: LogPage): void {
    this.#waiting += page.events.length;
    if (this.#waiting > mostWaiting) {
      this.close();
      return;
    }
    this.#pages.push(page);
    this.#wake?.();
  }

  /** The next page; undefined: there is none any more, as the follower fell behind, or was closed. */
  async next(): Promise<LogPage | undefined> {
    while (!this.#ended && this.#pages.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const page = this.#pages.shift();
    this.#waiting -= page?.events.length ?? 0;
    return page;
  }

  close(): void {
    this.#ended = true;
    this.#pages = [];
    this.#wake?.();
    this.#onClose(this);
  }
}

/** One subscription to a log, for all who follow it in this process; it runs while somebody does. */
export class SharedSubscription {
  readonly #log: Pick<EventLog, 'subscribe'>;
  readonly #logger: Logger | undefined;
  readonly #followers = new Set<Follower>();
  #running: AbortController | undefined;
  #position: Position | null = null;

  constructor(log: Pick<EventLog, 'subscribe'>, logger?: Logger) {
    this.#log = log;
    this.#logger = logger;
  }

  /** @param from where it begins when nobody follows yet */
  follow(from: Position | null): Follower {
    if (this.#running === undefined) {
      this.#position = from;
      this.#running = new AbortController();
      void this.#run(from, this.#running);
    }
    const follower = new Follower(this.#position, (closed) => {
      this.#followers.delete(closed);
      if (this.#followers.size === 0) this.#stop();
    });
    this.#followers.add(follower);
    return follower;
  }

  async #run(from: Position | null, running: AbortController): Promise<void> {
    try {
      for await (const page of this.#log.subscribe(from, undefined, running.signal)) {
        if (this.#running !== running) return;
        this.#position = page.scanned ?? this.#position;
        for (const follower of this.#followers) follower.give(page);
      }
    } catch (error) {
      this.#logger?.warn({ err: error }, 'the subscription to the event log ended, and is opened again');
    }
    if (this.#running !== running) return;
    // Whoever follows reads on by itself, and begins anew.
    for (const follower of this.#followers) follower.close();
  }

  #stop(): void {
    this.#running?.abort();
    this.#running = undefined;
  }
}
