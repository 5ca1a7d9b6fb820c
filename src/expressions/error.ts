/**
 * An expression that cannot be parsed or evaluated. The message never holds data, so it may be shown to the
 * caller; `position` is the offset in the expression's text, `path` the place of the text inside a value.
 */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  reason: string;
  position: number | undefined;
  path: string | undefined;

  constructor(reason: string, position?: number) {
    super(told(reason, position));
    this.reason = reason;
    this.position = position;
  }

  /** Tells in which filter it happened. The error stays the same one: making another costs microseconds. */
  within(filter: string, position: number): this {
    this.reason = `${filter}: ${this.reason}`;
    this.position = position;
    this.message = told(this.reason, position);
    return this;
  }

  /** Tells in which text of a value it happened. */
  under(path: string): this {
    this.path = path;
    return this;
  }
}

function told(reason: string, position: number | undefined): string {
  return position === undefined ? reason : `${reason} (at position ${String(position)})`;
}
