import { fileLine } from '#test/runner/report.ts';
import type { FileResult } from '#test/runner/results.ts';
import { expectedTime } from '#test/runner/times.ts';
import type { Times } from '#test/runner/times.ts';

/** Tells how far a run is: one line that changes on a terminal, a line for each file elsewhere. */
export class Progress {
  readonly #times: Times;
  readonly #waiting: Set<string>;
  readonly #total: number;
  readonly #began = Date.now();
  readonly #expected: number;
  readonly #terminal = process.stdout.isTTY;
  #failed = 0;

  constructor(files: readonly string[], times: Times) {
    this.#times = times;
    this.#total = files.length;
    this.#waiting = new Set(files);
    this.#expected = this.#left();
  }

  done(result: FileResult): void {
    this.#waiting.delete(result.path);
    if (result.failed > 0) this.#failed += 1;
    if (!this.#terminal || result.failed > 0) this.line(fileLine(result));
    this.#draw();
  }

  /** Prints a line that stays. */
  line(text: string): void {
    process.stdout.write(this.#terminal ? `\r\u001b[K${text}` : text);
  }

  /** Takes the changing line away. */
  clear(): void {
    if (this.#terminal) process.stdout.write('\r\u001b[K');
  }

  #draw(): void {
    if (!this.#terminal) return;
    const done = this.#total - this.#waiting.size;
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : '';
    this.line(`${done} of ${this.#total} files${failed}, ${this.#secondsLeft()} s left`);
  }

  /** At the pace of this run so far. */
  #secondsLeft(): number {
    const left = this.#left();
    const done = this.#expected - left;
    return done <= 0 ? 0 : Math.round(((Date.now() - this.#began) * left) / done / 1000);
  }

  #left(): number {
    return [...this.#waiting].reduce((sum, file) => sum + expectedTime(this.#times, file), 0);
  }
}
