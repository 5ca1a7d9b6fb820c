import type { KeyObject } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import type { Anchor, Anchors } from '#infra/audit/anchors.ts';
import { firstTag, nextTag } from '#infra/audit/chain.ts';
import { appendLines } from '#infra/audit/appendLines.ts';
import { register } from '#infra/audit/register.ts';
import { bodyOf, lineOf } from '#infra/audit/line.ts';
import { AuditUnavailable } from '#ports/audit.ts';
import type { Audit } from '#ports/audit.ts';
import type { Logger } from '#ports/logger.ts';

/** Entries that are written at once. */
const mostAtOnce = 2_000;

export type AuditWriter = Audit & { close(): Promise<void> };

/** Writes entries that are lines without numbers already. */
export type ChainWriter = {
  /** @throws AuditUnavailable */
  write(bodies: readonly string[]): Promise<void>;
  close(): Promise<void>;
};

export type AuditWriterOptions = {
  /** A random uuid for each chain. */
  newWriterId: () => string;
  /** Connections in the role `holdfast_api`, or of the owner. */
  pool: pg.Pool;
  anchors: Anchors;
  /** The key of the chain. Asked for at the first entry. */
  key: () => Promise<KeyObject>;
  logger: Logger;
};

type Waiting = { bodies: readonly string[]; resolve(): void; reject(error: AuditUnavailable): void };

/** Lines with their tags, ready to be stored, and the head that they lead to. */
type Batch = { lines: string[]; sequence: number; tag: string };

type Chain = { writerId: string; key: KeyObject; anchor: Anchor; sequence: number; tag: string };

/** The database does not hold what this writer has written. */
class ChainBroken extends Error {
  override readonly name = 'ChainBroken';
}

/**
 * Writes one chain of entries. What is recorded while a batch is being stored makes the next one, and everybody
 * waits for the batch that holds what is theirs.
 */
export function createChainWriter({
  newWriterId,
  pool,
  anchors,
  key,
  logger,
}: AuditWriterOptions): ChainWriter {
  const queue: Waiting[] = [];
  let chain: Chain | undefined;
  /** A batch of which it is not known whether it was stored. */
  let open: Batch | undefined;
  /** The head of the batch before, on its way out of the database. */
  let anchoring: Promise<void> = Promise.resolve();
  let running: Promise<void> | undefined;

  async function begin(): Promise<Chain> {
    const secret = await key();
    const writerId = newWriterId();
    const anchor = await anchors.open(writerId);
    const tag = firstTag(secret, writerId);
    // A chain that was never anchored could be taken away without a trace.
    await anchor.write({ writerId, sequence: 0, tag });
    return { writerId, key: secret, anchor, sequence: 0, tag };
  }

  /** The register of writers says from then on that there is such a chain. */
  async function storeFirst(current: Chain, waiting: readonly Waiting[]): Promise<void> {
    const { key: secret, writerId } = current;
    let batch: Batch | undefined;
    const last = await register({ key: secret, pool, anchor: anchors.register }, (number) => {
      current.tag = firstTag(secret, writerId, number);
      batch = open = append(current, waiting);
      return { writerId, firstTag: tagOf(batch.lines[0]), lines: batch.lines };
    });
    if (batch === undefined || last !== batch.sequence) throw broken(last, current);
    await advance(current, batch);
  }

  /** Entries may be acknowledged when they are stored, and the head of the batch before is anchored. */
  async function store(current: Chain, batch: Batch): Promise<void> {
    open = batch;
    const last = await appendLines(pool, current.writerId, current.sequence + 1, batch.lines);
    if (last !== batch.sequence) throw broken(last, current);
    await advance(current, batch);
  }

  async function advance(current: Chain, { sequence, tag }: Batch): Promise<void> {
    current.sequence = sequence;
    current.tag = tag;
    open = undefined;
    await anchored(current);
    anchor(current);
  }

  const storeNext = (current: Chain, waiting: readonly Waiting[]): Promise<void> =>
    current.sequence === 0 ? storeFirst(current, waiting) : store(current, append(current, waiting));

  /** Finds out about a batch whose outcome is open. Nobody was told of it, so it may as well not be there. */
  async function resolve(current: Chain, batch: Batch): Promise<void> {
    const last = await appendLines(pool, current.writerId, current.sequence + 1, []);
    if (last === batch.sequence) await advance(current, batch);
    else if (last === current.sequence) open = undefined;
    else throw broken(last, current);
  }

  const broken = (last: number, { writerId, sequence }: Chain): ChainBroken =>
    new ChainBroken(`the chain ${writerId} was written to ${sequence} and is at ${last}`);

  function anchor(current: Chain): void {
    const { writerId, sequence, tag } = current;
    // Whoever waits for the entries is told first: the head may come after the next batch.
    anchoring = nextTurn().then(() => current.anchor.write({ writerId, sequence, tag }));
    // Whoever comes next awaits it; until then its failure must not end the process.
    anchoring.catch(() => undefined);
  }

  /** What could not be anchored is anchored before anything else is acknowledged. */
  async function anchored(current: Chain): Promise<void> {
    try {
      await anchoring;
    } catch {
      anchor(current);
      await anchoring;
    }
  }

  function append(current: Chain, waiting: readonly Waiting[]): Batch {
    const batch: Batch = { lines: [], sequence: current.sequence, tag: current.tag };
    for (const { bodies } of waiting) {
      for (const body of bodies) {
        batch.sequence++;
        const line = lineOf(batch.sequence, body);
        batch.tag = nextTag(current.key, batch.tag, line);
        batch.lines.push(`${line}\t${batch.tag}`);
      }
    }
    return batch;
  }

  function take(): Waiting[] {
    let entries = 0;
    const beyond = queue.findIndex((waiting, index) => {
      entries += waiting.bodies.length;
      return index > 0 && entries > mostAtOnce;
    });
    return queue.splice(0, beyond === -1 ? queue.length : beyond);
  }

  async function write(waiting: readonly Waiting[]): Promise<void> {
    try {
      chain ??= await begin();
      if (open !== undefined) await resolve(chain, open);
      await storeNext(chain, waiting);
    } catch (error) {
      if (!(error instanceof ChainBroken)) throw error;
      // Its head tells on whoever did that; what is done from now on must not go unwritten for it.
      logger.error({ err: error }, 'somebody changed the audit log, which goes on in a new chain');
      open = undefined;
      chain = await begin();
      await storeNext(chain, waiting);
    }
  }

  async function run(): Promise<void> {
    while (queue.length > 0) {
      // Those who came in the same turn of the event loop share the batch.
      await nextTurn();
      const waiting = take();
      try {
        await write(waiting);
        for (const entry of waiting) entry.resolve();
      } catch (error) {
        logger.error({ err: error }, 'the audit log cannot be written');
        const unavailable = new AuditUnavailable('the audit log cannot be written', { cause: error });
        for (const { reject } of waiting) reject(unavailable);
      }
    }
    running = undefined;
  }

  return {
    write: (bodies) => {
      if (bodies.length === 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        queue.push({ bodies, resolve, reject });
        running ??= run();
      });
    },
    close: async () => {
      await running;
      await anchoring.catch(() => undefined);
    },
  };
}

/** A line ends in its tag. */
const tagOf = (line = ''): string => line.slice(line.lastIndexOf('\t') + 1);

/** A chain that this thread writes by itself. */
export function createAuditWriter(options: AuditWriterOptions): AuditWriter {
  const writer = createChainWriter(options);
  return { record: (entries) => writer.write(entries.map(bodyOf)), close: writer.close };
}
