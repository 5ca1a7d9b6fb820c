import type pg from 'pg';
import { appendBatch, serializeGroup } from '#infra/eventlog/postgres/appendBatch.ts';
import type { AppendGroup } from '#infra/eventlog/postgres/appendBatch.ts';
import { Coalescer } from '#infra/eventlog/postgres/coalescer.ts';
import { isConnectionFailure, isRefusedForNow } from '#infra/postgres/failure.ts';
import type { Append, AppendVerdict } from '#ports/eventLog.ts';
import { LogUnavailable, UnknownOutcome } from '#ports/eventLog.ts';

type Verdicts = PromiseSettledResult<AppendVerdict[]>;
type Member = AppendGroup & { keys: string[] };

/** Most groups that one transaction takes. */
const defaultBatchSize = 256;
/** Most JSON that one transaction takes, unless a single append is larger: the lock is held meanwhile. */
const largestBatch = 1_000_000;

/** Turns the concurrent appends of a process into few transactions. */
export class Writer {
  readonly #pool: pg.Pool;
  readonly #coalescer: Coalescer<Member, AppendVerdict[]>;

  constructor(pool: pg.Pool, batchSize = defaultBatchSize) {
    this.#pool = pool;
    this.#coalescer = new Coalescer((groups) => this.#write(groups), {
      items: batchSize,
      size: largestBatch,
      concurrency: 1,
    });
  }

  /** @throws LogUnavailable @throws UnknownOutcome */
  async append(appends: readonly Append[]): Promise<AppendVerdict[]> {
    const group = serializeGroup(appends);
    return this.#coalescer.add({ ...group, keys: group.streams });
  }

  /** An error that is about one member (an event id used elsewhere, say) must not fail its neighbours. */
  async #write(groups: Member[]): Promise<Verdicts[]> {
    try {
      const verdicts = await this.#transaction(groups);
      return verdicts.map((value) => ({ status: 'fulfilled', value }));
    } catch (error) {
      if (error instanceof LogUnavailable || error instanceof UnknownOutcome) throw error;
      if (groups.length === 1) throw error;
      return this.#writeOneByOne(groups);
    }
  }

  async #writeOneByOne(groups: Member[]): Promise<Verdicts[]> {
    const verdicts: Verdicts[] = [];
    for (const group of groups) {
      const [settled] = await Promise.allSettled([this.#write([group])]);
      verdicts.push(settled.status === 'rejected' ? settled : only(settled.value));
    }
    return verdicts;
  }

  async #transaction(groups: Member[]): Promise<AppendVerdict[][]> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw new LogUnavailable('the event log cannot be reached', { cause: error });
    });
    // A connection that breaks tells its statement, and then everybody: unheard, that would end the process.
    client.on('error', ignore);
    try {
      const verdicts = await appendBatch(client, groups);
      release(client, false);
      return verdicts;
    } catch (error) {
      const broken = isConnectionFailure(error);
      release(client, broken);
      if (isRefusedForNow(error)) throw new LogUnavailable('the event log refuses appends', { cause: error });
      if (broken) throw new UnknownOutcome('the connection broke during an append', { cause: error });
      throw error;
    }
  }
}

function release(client: pg.PoolClient, broken: boolean): void {
  if (!broken) client.off('error', ignore);
  client.release(broken);
}

function ignore(): void {
  // The statement's own error says it.
}

function only(verdicts: Verdicts[]): Verdicts {
  const [first] = verdicts;
  if (first === undefined || verdicts.length > 1) throw new Error('a group has one list of verdicts');
  return first;
}
