import { ExpressionError } from './error.ts';

const blanks = /\s*/y;

/** A place in a text that is being parsed. Every step moves forward, so parsing is linear. */
export class Cursor {
  readonly text: string;
  position: number;

  constructor(text: string, position = 0) {
    this.text = text;
    this.position = position;
  }

  get atEnd(): boolean {
    return this.position >= this.text.length;
  }

  sees(expected: string): boolean {
    return this.text.startsWith(expected, this.position);
  }

  /** Moves past the expected text when it is next. */
  take(expected: string): boolean {
    if (!this.sees(expected)) return false;
    this.position += expected.length;
    return true;
  }

  expect(expected: string): void {
    if (!this.take(expected)) this.fail(`Expected "${expected}"`);
  }

  /** Moves past what a sticky pattern matches here. */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.position += found.length;
    return found;
  }

  skipBlanks(): void {
    this.match(blanks);
  }

  /** Moves to the next occurrence and gives the text before it, or undefined, without moving. */
  takeUntil(mark: string): string | undefined {
    const end = this.text.indexOf(mark, this.position);
    if (end === -1) return undefined;
    const taken = this.text.slice(this.position, end);
    this.position = end;
    return taken;
  }

  fail(reason: string, position = this.position): never {
    throw new ExpressionError(reason, position);
  }
}
