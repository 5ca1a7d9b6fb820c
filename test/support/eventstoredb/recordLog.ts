import { EventEmitter } from 'node:events';

export type ProposedRecord = {
  id: string;
  type: string;
  contentType: string;
  data: Uint8Array;
  metadata: Uint8Array;
};

/** Commit and prepare position are one number here, as they are for every plain write on a real server. */
export type LogRecord = ProposedRecord & {
  stream: string;
  revision: bigint;
  position: bigint;
  created: Date;
};

/** `null`: the stream must not exist. */
export type Expectation = bigint | null | 'any';

export type AppendAnswer =
  | { outcome: 'written'; revision: bigint; position: bigint }
  /** The same events stood there already. There is no position where they cannot be read any more. */
  | { outcome: 'repeated'; revision: bigint; position: bigint | undefined }
  | { outcome: 'nothing' }
  | { outcome: 'tombstone' }
  | { outcome: 'wrong'; actual: bigint | null };

type Stream = { records: LogRecord[]; readableFrom: bigint; deleted: boolean; tombstone: boolean };

/** The records of a server, in memory, with a server's rules for expected revisions and repeated writes. */
export class RecordLog extends EventEmitter<{ appended: [] }> {
  readonly records: LogRecord[] = [];
  readonly #streams = new Map<string, Stream>();

  /** What can be read of a stream. */
  stream(name: string): readonly LogRecord[] {
    const { records, readableFrom } = this.#state(name);
    return records.filter(({ revision }) => revision >= readableFrom);
  }

  isTombstone(name: string): boolean {
    return this.#state(name).tombstone;
  }

  /** Where the next record will begin. */
  get end(): bigint {
    return this.#nextPosition();
  }

  append(name: string, expected: Expectation, proposed: readonly ProposedRecord[]): AppendAnswer {
    const stream = this.#state(name);
    if (stream.tombstone) return { outcome: 'tombstone' };
    const [first] = proposed;
    if (first === undefined) return { outcome: 'nothing' };
    const head = BigInt(stream.records.length) - 1n;
    if (expected === 'any') {
      const known = stream.records.findIndex(({ id }) => id === first.id);
      return (known < 0 ? undefined : repetition(stream, known, proposed)) ?? this.#write(name, proposed);
    }
    const after = expected ?? -1n;
    if (after === head) return this.#write(name, proposed);
    const repeated = repetition(stream, Number(after) + 1, proposed);
    if (repeated !== undefined) return repeated;
    if (stream.deleted && expected === null) return this.#write(name, proposed);
    return { outcome: 'wrong', actual: head < 0n ? null : head };
  }

  /** As a server whose data were put back to an earlier state, in which it had so many records. */
  putBack(count: number): void {
    this.#keep(this.records.slice(0, count));
  }

  /** As if records of this type had never been written; only ever the last of their streams. */
  remove(type: string): void {
    this.#keep(this.records.filter((record) => record.type !== type));
  }

  #keep(records: readonly LogRecord[]): void {
    this.records.splice(0, Infinity, ...records);
    this.#streams.clear();
    for (const record of this.records) {
      const stream = this.#state(record.stream);
      stream.records.push(record);
      this.#streams.set(record.stream, stream);
    }
  }

  /** As a soft delete does: nothing of it is read any more, and revisions go on. */
  delete(name: string): void {
    this.truncate(name, BigInt(this.#state(name).records.length));
    this.#state(name).deleted = true;
  }

  /** As `$tb` in the stream's metadata does. */
  truncate(name: string, before: bigint): void {
    const stream = this.#state(name);
    stream.readableFrom = before;
    this.#streams.set(name, stream);
  }

  /** Deletes for good. */
  bury(name: string): void {
    this.#streams.set(name, { ...this.#state(name), tombstone: true });
  }

  #state(name: string): Stream {
    return this.#streams.get(name) ?? { records: [], readableFrom: 0n, deleted: false, tombstone: false };
  }

  #write(name: string, proposed: readonly ProposedRecord[]): AppendAnswer {
    const stream = this.#state(name);
    this.#streams.set(name, stream);
    for (const record of proposed) {
      const revision = BigInt(stream.records.length);
      const position = this.#nextPosition();
      const written = { ...record, stream: name, revision, position, created: new Date() };
      stream.records.push(written);
      this.records.push(written);
    }
    stream.deleted = false;
    this.emit('appended');
    const last = stream.records.at(-1);
    if (last === undefined) throw new Error('an append without records');
    return { outcome: 'written', revision: last.revision, position: last.position };
  }

  /** Positions are places in a file: each record takes as much as it is long. */
  #nextPosition(): bigint {
    const last = this.records.at(-1);
    return last === undefined ? 0n : last.position + BigInt(100 + last.data.length + last.metadata.length);
  }
}

function repetition(
  { records, readableFrom }: Stream,
  from: number,
  proposed: readonly ProposedRecord[],
): AppendAnswer | undefined {
  if (!proposed.every(({ id }, index) => records[from + index]?.id === id)) return undefined;
  const revision = BigInt(from + proposed.length) - 1n;
  const position = revision < readableFrom ? undefined : records[Number(revision)]?.position;
  return { outcome: 'repeated', revision, position };
}
