/** Keeps the values used last, bounded by the total length of their keys. */
export class LruCache<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #capacity: number;
  #size = 0;
  #newest: string | undefined;

  /** @param capacity characters of all keys together */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#size;
  }

  get(key: string): Value | undefined {
    const value = this.#entries.get(key);
    // Taking an entry out and putting it back makes the table anew now and then.
    if (value === undefined || key === this.#newest) return value;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    return value;
  }

  set(key: string, value: Value): void {
    if (key.length > this.#capacity) return;
    this.#remove(key);
    this.#entries.set(key, value);
    this.#newest = key;
    this.#size += key.length;
    while (this.#size > this.#capacity) this.#removeOldest();
  }

  #removeOldest(): void {
    for (const key of this.#entries.keys()) {
      this.#remove(key);
      return;
    }
  }

  #remove(key: string): void {
    if (this.#entries.delete(key)) this.#size -= key.length;
  }
}
