import type { KeyObject } from 'node:crypto';
import type pg from 'pg';
import type { AnchoredHead, Anchors } from '#infra/audit/anchors.ts';
import { firstTag, nextTag } from '#infra/audit/chain.ts';
import type { RegisteredWriter } from '#infra/audit/register.ts';
import { verifyRegister } from '#infra/audit/verifyRegister.ts';
import { fieldsInLine, lineInSql } from '#infra/audit/line.ts';

/** Entries that are read at once. */
const pageSize = 20_000;

/** The first thing that is wrong in the chain of one writer. */
export type AuditFault = {
  writerId: string;
  /** The entry that is wrong, or the first that is missing. */
  sequence: number;
  /** When the last good entry before it was written; undefined when there is none. */
  after: Date | undefined;
  what: string;
};

export type Verification = {
  entries: number;
  writers: number;
  /** One for each broken chain, the earliest first. */
  faults: AuditFault[];
};

export type VerifyOptions = {
  /** Connections of the owner, or one of them. */
  database: Pick<pg.Pool, 'query'>;
  key: KeyObject;
  anchors: Anchors;
  onProgress?: (entries: number) => void;
};

/** What faults of the register of writers are named by, in the place of a chain. */
const registerName = 'of all writers';
const removed = 'the whole chain was removed: the register has its first entry';

type Row = { writer_id: string; line: string; tag: string };

const page = {
  name: 'audit verify',
  text: `select entry.writer_id, ${lineInSql} as line, entry.tag from audit.entries as entry
    where (entry.writer_id, entry.sequence) > ($1, $2)
    order by entry.writer_id, entry.sequence limit ${pageSize}`,
};

/**
 * Recomputes every chain, and holds it against its head outside the database: finds whatever was edited, removed,
 * moved, cut off or written anew. What is added while it runs does not disturb it.
 */
export async function verifyAudit({
  database,
  key,
  anchors,
  onProgress,
}: VerifyOptions): Promise<Verification> {
  // Before the entries: what is written meanwhile is behind these heads.
  const heads = await anchors.heads();
  const signed = await anchors.register.read();
  const register = await verifyRegister(database, key, signed);
  const faults: AuditFault[] = [];
  const seen = new Set<string>();
  let entries = 0;
  let chain: ChainCheck | undefined;
  const finish = async (): Promise<void> => {
    const fault = chain?.finish(chain.head ?? (await anchors.heads()).get(chain.writerId));
    if (fault !== undefined) faults.push(fault);
  };
  for await (const rows of pages(database)) {
    for (const { writer_id: writerId, line, tag } of rows) {
      if (chain?.writerId !== writerId) {
        await finish();
        // Of a writer that came meanwhile, the register is asked again.
        const known =
          register.writers.get(writerId) ??
          (await verifyRegister(database, key, signed)).writers.get(writerId);
        chain = new ChainCheck(key, { writerId, registered: known }, heads.get(writerId));
        seen.add(writerId);
      }
      chain.take(line, tag);
    }
    entries += rows.length;
    onProgress?.(entries);
  }
  await finish();
  for (const [writerId, head] of heads) {
    if (seen.has(writerId) || register.writers.has(writerId)) continue;
    const fault = new ChainCheck(key, { writerId, registered: undefined }, head).finish(head);
    if (fault !== undefined) faults.push(fault);
  }
  for (const { writerId } of register.writers.values()) {
    if (!seen.has(writerId)) faults.push({ writerId, sequence: 1, after: undefined, what: removed });
  }
  if (register.fault !== undefined) {
    const { number: sequence, what } = register.fault;
    faults.push({ writerId: registerName, sequence, after: undefined, what });
  }
  const time = ({ after }: AuditFault): number => after?.getTime() ?? 0;
  return { entries, writers: seen.size, faults: faults.sort((a, b) => time(a) - time(b)) };
}

/** Pages of entries, the next of which is under way while one is looked at. */
async function* pages(database: Pick<pg.Pool, 'query'>): AsyncGenerator<Row[]> {
  const read = async (writerId: string, sequence: number): Promise<Row[]> =>
    (await database.query<Row>({ ...page, values: [writerId, sequence] })).rows;
  let coming = read('00000000-0000-0000-0000-000000000000', 0);
  for (;;) {
    const rows = await coming;
    const last = rows.at(-1);
    if (last === undefined) return;
    coming = read(last.writer_id, sequenceOf(last.line));
    // It is awaited in its turn; until then its failure must not end the process.
    coming.catch(() => undefined);
    yield rows;
  }
}

const sequenceOf = (line: string): number => Number(line.slice(0, line.indexOf('\t')));

/** Follows one chain, as far as its first fault. */
class ChainCheck {
  readonly writerId: string;
  readonly head: AnchoredHead | undefined;
  readonly #key: KeyObject;
  #sequence = 0;
  #tag: string;
  #line = '';
  readonly #registered: RegisteredWriter | undefined;
  #fault: AuditFault | undefined;

  constructor(
    key: KeyObject,
    { writerId, registered }: { writerId: string; registered: RegisteredWriter | undefined },
    head: AnchoredHead | undefined,
  ) {
    this.#key = key;
    this.writerId = writerId;
    this.head = head;
    this.#registered = registered;
    this.#tag = firstTag(key, writerId, registered?.isOlder === false ? registered.number : undefined);
  }

  take(line: string, tag: string): void {
    if (this.#fault !== undefined) return;
    const next = this.#sequence + 1;
    const sequence = sequenceOf(line);
    if (sequence !== next) {
      this.#blame(
        next,
        sequence < next ? 'an entry was put in' : `entries up to ${sequence - 1} are missing`,
      );
      return;
    }
    const right = nextTag(this.#key, this.#tag, line);
    if (right !== tag || !isWhole(line)) {
      this.#blame(
        next,
        next === 1 && this.#registered === undefined
          ? 'the entry was changed, or its writer was removed from the register'
          : 'the entry was changed, or belongs elsewhere',
      );
      return;
    }
    if (next === 1 && this.#registered !== undefined && this.#registered.firstTag !== tag) {
      this.#blame(next, 'the chain was written anew: the register has another first entry');
      return;
    }
    if (
      this.head !== undefined &&
      'tag' in this.head &&
      this.head.sequence === next &&
      this.head.tag !== tag
    ) {
      this.#blame(next, 'the chain was written anew: it is not the one that was anchored');
      return;
    }
    this.#sequence = next;
    this.#tag = tag;
    this.#line = line;
  }

  /** @param head as it is known at the end: a writer may be younger than the first look at the heads */
  finish(head: AnchoredHead | undefined): AuditFault | undefined {
    if (this.#fault !== undefined) return this.#fault;
    if (head === undefined) {
      this.#blame(1, 'the chain has no anchored head: it was put in, or its head removed');
    } else if ('damaged' in head) this.#blame(1, 'the anchored head is damaged or forged');
    else if (head.sequence > this.#sequence) {
      this.#blame(this.#sequence + 1, `the end was cut off: entries up to ${head.sequence} were anchored`);
    } else if (head.sequence === 0 && head.tag !== firstTag(this.#key, this.writerId)) {
      this.#blame(1, 'the anchored head was made with another key');
    }
    return this.#fault;
  }

  #blame(sequence: number, what: string): void {
    const microseconds = Number(this.#line.split('\t')[1]);
    const after = this.#line === '' ? undefined : new Date(microseconds / 1_000);
    this.#fault = { writerId: this.writerId, sequence, after, what };
  }
}

/** Texts never hold the tab that keeps fields apart; one that does has been made to read like another entry. */
function isWhole(line: string): boolean {
  let tabs = 0;
  for (let at = line.indexOf('\t'); at !== -1; at = line.indexOf('\t', at + 1)) tabs++;
  return tabs === fieldsInLine - 1;
}
