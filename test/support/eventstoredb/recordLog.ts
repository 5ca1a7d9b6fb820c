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
export type Expectation = bigint | null;

export type AppendAnswer =
  | { outcome: 'written'; revision: bigint; position: bigint }
  /** The same events stood there already. Older servers leave the position out of such an answer. */
  | { outcome: 'repeated'; revision: bigint }
  | { outcome: 'wrong'; actual: bigint | null };

/** The records of a server, in memory, with a server's rules for expected revisions and repeated writes. */
export class RecordLog extends EventEmitter<{ appended: [] }> {
  readonly records: LogRecord[] = [];
  readonly #streams = new Map<string, LogRecord[]>();

  stream(name: string): readonly LogRecord[] {
    return this.#streams.get(name) ?? [];
  }

  append(stream: string, expected: Expectation, proposed: readonly ProposedRecord[]): AppendAnswer {
    const existing = this.stream(stream);
    const head = BigInt(existing.length) - 1n;
    const after = expected ?? -1n;
    if (after === head) return this.#write(stream, proposed);
    const next = Number(after) + 1;
    const repeated = proposed.every((record, index) => existing[next + index]?.id === record.id);
    if (repeated) return { outcome: 'repeated', revision: after + BigInt(proposed.length) };
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
      this.#streams.set(record.stream, [...this.stream(record.stream), record]);
    }
  }

  #write(stream: string, proposed: readonly ProposedRecord[]): AppendAnswer {
    const existing = this.#streams.get(stream) ?? [];
    this.#streams.set(stream, existing);
    for (const record of proposed) {
      const revision = BigInt(existing.length);
      const written = { ...record, stream, revision, position: this.#nextPosition(), created: new Date() };
      existing.push(written);
      this.records.push(written);
    }
    this.emit('appended');
    const last = this.records.at(-1);
    if (last === undefined) throw new Error('an append without records');
    return { outcome: 'written', revision: last.revision, position: last.position };
  }

  /** Positions are places in a file: each record takes as much as it is long. */
  #nextPosition(): bigint {
    const last = this.records.at(-1);
    return last === undefined ? 0n : last.position + BigInt(100 + last.data.length + last.metadata.length);
  }
}
