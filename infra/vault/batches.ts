type Waiting<Item, Result> = {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
};

type Queue<Item, Result> = { waiting: Waiting<Item, Result>[]; inFlight: number; scheduled: boolean };

export type BatchSettings<Item, Result> = {
  /** Runs one batch of a key; a result for each item, in order. */
  run(key: string, items: readonly Item[]): Promise<readonly Result[]>;
  /** How heavy an item is; a batch takes items until the limit is reached, at least one. */
  weight(item: Item): number;
  limit: number;
  /** How many batches of one key may run at once. */
  atOnce: number;
  /** Whether one member alone may be to blame for a failure: then the members are run one by one. */
  mayBlameOne(error: unknown): boolean;
};

/**
 * Gathers concurrent calls of one key into batches: a batch starts with the calls of this turn of the event
 * loop, and while as many as allowed run, the next one collects.
 */
export function createBatches<Item, Result>(
  settings: BatchSettings<Item, Result>,
): (key: string, item: Item) => Promise<Result> {
  const queues = new Map<string, Queue<Item, Result>>();

  const schedule = (key: string, queue: Queue<Item, Result>): void => {
    if (queue.scheduled || queue.waiting.length === 0 || queue.inFlight >= settings.atOnce) return;
    queue.scheduled = true;
    setImmediate(() => {
      queue.scheduled = false;
      queue.inFlight += 1;
      void runBatch(key, take(queue)).finally(() => {
        queue.inFlight -= 1;
        if (queue.inFlight === 0 && queue.waiting.length === 0) queues.delete(key);
        schedule(key, queue);
      });
      schedule(key, queue);
    });
  };

  const take = (queue: Queue<Item, Result>): Waiting<Item, Result>[] => {
    let weight = 0;
    const beyond = queue.waiting.findIndex(({ item }, index) => {
      weight += settings.weight(item);
      return index > 0 && weight > settings.limit;
    });
    return queue.waiting.splice(0, beyond === -1 ? queue.waiting.length : beyond);
  };

  const runBatch = async (key: string, batch: Waiting<Item, Result>[]): Promise<void> => {
    try {
      const results = await settings.run(
        key,
        batch.map(({ item }) => item),
      );
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      const [only] = batch;
      if (only === undefined) return;
      if (batch.length === 1 || !settings.mayBlameOne(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      for (const member of batch) await runBatch(key, [member]);
    }
  };

  return (key, item) =>
    new Promise((resolve, reject) => {
      let queue = queues.get(key);
      if (queue === undefined) {
        queue = { waiting: [], inFlight: 0, scheduled: false };
        queues.set(key, queue);
      }
      queue.waiting.push({ item, resolve, reject });
      schedule(key, queue);
    });
}
