/** What may share a batch. */
export type Coalescable = {
  /** Two items that share a key never share a batch. */
  keys: readonly string[];
  size: number;
};

export type CoalescerLimits = {
  /** Items in a batch. */
  items: number;
  /** The sum of their sizes; an item beyond it goes alone. */
  size: number;
  /** Batches under way at once. */
  concurrency: number;
};

type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Gathers what is asked for while batches are under way into the next one. Nothing waits for company: a first
 * item starts as soon as the event loop has read what already arrived.
 */
export class Coalescer<Item extends Coalescable, Result> {
  readonly #run: (items: Item[]) => Promise<PromiseSettledResult<Result>[]>;
  readonly #limits: CoalescerLimits;
  #waiting: Waiting<Item, Result>[] = [];
  #underWay = 0;
  #scheduled = false;

  /** `run` answers each item in order; what it throws is every item's error. */
  constructor(run: (items: Item[]) => Promise<PromiseSettledResult<Result>[]>, limits: CoalescerLimits) {
    this.#run = run;
    this.#limits = limits;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled || this.#underWay >= this.#limits.concurrency || this.#waiting.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#runBatch(this.#takeBatch());
    });
  }

  #takeBatch(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const left: Waiting<Item, Result>[] = [];
    const taken = new Set<string>();
    let size = 0;
    for (const waiting of this.#waiting) {
      const { item } = waiting;
      const fits = batch.length < this.#limits.items && size + item.size <= this.#limits.size;
      const apart = !item.keys.some((key) => taken.has(key));
      // What stays keeps its keys from later items too: items of one key run in the order they came.
      item.keys.forEach((key) => taken.add(key));
      if (batch.length > 0 && !(fits && apart)) {
        left.push(waiting);
        continue;
      }
      batch.push(waiting);
      size += item.size;
    }
    this.#waiting = left;
    return batch;
  }

  async #runBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    this.#underWay += 1;
    this.#schedule();
    try {
      const results = await this.#run(batch.map((waiting) => waiting.item));
      batch.forEach((waiting, index) => {
        settle(waiting, results[index]);
      });
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    } finally {
      this.#underWay -= 1;
      this.#schedule();
    }
  }
}

function settle<Item, Result>(
  waiting: Waiting<Item, Result>,
  result: PromiseSettledResult<Result> | undefined,
): void {
  if (result === undefined) waiting.reject(new Error('a batch answered fewer results than it had items'));
  else if (result.status === 'fulfilled') waiting.resolve(result.value);
  else waiting.reject(result.reason);
}
