/** What came over the border, of which nothing is taken for what it claims to be. */
export class CryptographyRequest {
  readonly #members: ReadonlyMap<string, unknown>;

  constructor(value: unknown) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw invalid('request', 'an object');
    }
    this.#members = new Map(Object.entries(value));
  }

  has(name: string): boolean {
    const value = this.#members.get(name);
    return value !== undefined && value !== null;
  }

  text(name: string, longest = 200): string {
    const value = this.#members.get(name);
    if (typeof value !== 'string') throw invalid(name, 'a string');
    if (value.length > longest) throw tooLarge(name);
    return value;
  }

  optionalText(name: string): string | undefined {
    return this.has(name) ? this.text(name) : undefined;
  }

  bytes(name: string): Buffer {
    const value = this.#members.get(name);
    if (typeof value !== 'string') throw invalid(name, 'bytes');
    if (value.length > (maximumBytes * 4) / 3 + 4) throw tooLarge(name);
    return Buffer.from(value, 'base64');
  }

  optionalBytes(name: string): Buffer | undefined {
    return this.has(name) ? this.bytes(name) : undefined;
  }

  integer(name: string, minimum: number, maximum: number): number {
    const value = this.#members.get(name);
    if (typeof value !== 'number') throw invalid(name, 'a number');
    if (!Number.isSafeInteger(value) || value < minimum || value > maximum) {
      const message = `The value of "${name}" is out of range. It must be an integer from ${minimum} to ${maximum}.`;
      throw new CryptographyError(message, 'ERR_OUT_OF_RANGE', 'RangeError');
    }
    return value;
  }

  optionalInteger(name: string, minimum: number, maximum: number): number | undefined {
    return this.has(name) ? this.integer(name, minimum, maximum) : undefined;
  }

  boolean(name: string): boolean {
    return this.#members.get(name) === true;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T {
    const value = this.text(name);
    const found = allowed.find((one) => one === value);
    if (found === undefined) throw invalid(name, `one of ${allowed.join(', ')}`);
    return found;
  }

  optionalOneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    return this.has(name) ? this.oneOf(name, allowed) : undefined;
  }

  nested(name: string): CryptographyRequest {
    return new CryptographyRequest(this.#members.get(name));
  }
}

/** Of any one input. */
export const maximumBytes = 8 * 1024 * 1024;

/** Is told to the code that asked. */
export class CryptographyError extends Error {
  readonly code: string;
  override readonly name: string;

  constructor(message: string, code: string, name = 'Error') {
    super(message);
    this.code = code;
    this.name = name;
  }
}

function invalid(name: string, expected: string): CryptographyError {
  return new CryptographyError(
    `The "${name}" argument must be ${expected}.`,
    'ERR_INVALID_ARG_TYPE',
    'TypeError',
  );
}

function tooLarge(name: string): CryptographyError {
  return new CryptographyError(`"${name}" is larger than is accepted.`, 'ERR_OUT_OF_RANGE', 'RangeError');
}
