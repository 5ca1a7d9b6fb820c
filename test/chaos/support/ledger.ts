import { open, readFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** What a client asked for. Each names things by ids of its own making, so that they can be looked for afterwards. */
export type Deed =
  | { kind: 'create'; id: string }
  | { kind: 'patch'; id: string; version: number }
  | { kind: 'delete'; id: string }
  | { kind: 'tokenize'; ids: readonly string[] }
  | { kind: 'once'; operation: string }
  | { kind: 'pay'; operation: string }
  | { kind: 'capture'; operation: string }
  | { kind: 'invoke'; operation: string; reactor: string; request?: string };

export type Entry = { at: 'asked' | 'acknowledged'; deed: Deed };

/**
 * What clients asked for, and what was acknowledged to them, in a file: an acknowledgement counts when it is on the
 * disk, and what is verified is read from there.
 */
export class Ledger {
  readonly #path: string;
  readonly #file: FileHandle;
  #waiting: { line: string; done: () => void }[] = [];
  #writing: Promise<void> | undefined;
  #acknowledged = 0;
  #isClosed = false;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  static async open(path: string): Promise<Ledger> {
    return new Ledger(path, await open(path, 'a'));
  }

  /** How many acknowledgements are on the disk. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  asked(deed: Deed): Promise<void> {
    return this.#write({ at: 'asked', deed });
  }

  async acknowledge(deed: Deed): Promise<void> {
    await this.#write({ at: 'acknowledged', deed });
    this.#acknowledged += 1;
  }

  async entries(): Promise<Entry[]> {
    const lines = (await readFile(this.#path, 'utf8')).split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Entry);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
    await this.#file.close();
  }

  /** Lines that come while others are being written share the next sync. */
  async #write(entry: Entry): Promise<void> {
    // A run that has failed is over, whatever its clients still do.
    if (this.#isClosed) return;
    const written = new Promise<void>((done) => {
      this.#waiting.push({ line: `${JSON.stringify(entry)}\n`, done });
    });
    this.#writing ??= this.#writeAll();
    await written;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0);
      await this.#file.write(group.map(({ line }) => line).join(''));
      await this.#file.datasync();
      for (const { done } of group) done();
    }
    this.#writing = undefined;
  }
}
