import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import type { TransformCallback } from 'node:stream';

const newline = 10;

export type Measure = { bytes: number; lines: number; sha256: string };

/** Passes bytes on, and knows at the end what they were. */
export class Meter extends Transform {
  readonly #hash = createHash('sha256');
  readonly #onBytes: ((count: number) => void) | undefined;
  #bytes = 0;
  #lines = 0;

  /** @param onBytes called with the length of each piece */
  constructor(onBytes?: (count: number) => void) {
    super();
    this.#onBytes = onBytes;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) this.#lines++;
    this.#onBytes?.(chunk.length);
    done(null, chunk);
  }

  /** Of everything; to be asked once, after the end. */
  measure(): Measure {
    return { bytes: this.#bytes, lines: this.#lines, sha256: this.#hash.digest('hex') };
  }
}
