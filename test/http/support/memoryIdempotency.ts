import { randomUUID } from 'node:crypto';
import type { Idempotency, IdempotencyClaim, IdempotencyScope, StoredAnswer } from '#ports/idempotency.ts';

type Entry = { commandId: string; leased: boolean; answer?: StoredAnswer; sensitive?: boolean };

/** The port in memory; a lease runs out when the test says so. */
export class MemoryIdempotency implements Idempotency {
  readonly entries = new Map<string, Entry>();
  readonly scopes: IdempotencyScope[] = [];
  /** Thrown when an answer is to be kept. */
  failure: Error | undefined;

  claim(scope: IdempotencyScope): Promise<IdempotencyClaim> {
    this.scopes.push(scope);
    const entry = this.entries.get(named(scope));
    if (entry?.answer !== undefined) return Promise.resolve({ outcome: 'answered', answer: entry.answer });
    if (entry?.leased === true) return Promise.resolve({ outcome: 'in_flight' });
    const repeated = entry !== undefined;
    const commandId = entry?.commandId ?? randomUUID();
    this.entries.set(named(scope), { commandId, leased: true });
    return Promise.resolve({ outcome: 'run', commandId, repeated });
  }

  succeed(scope: IdempotencyScope, answer: StoredAnswer, sensitive: boolean): Promise<void> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    const entry = this.entries.get(named(scope));
    if (entry !== undefined) this.entries.set(named(scope), { ...entry, answer, sensitive });
    return Promise.resolve();
  }

  release(scope: IdempotencyScope): Promise<void> {
    this.entries.delete(named(scope));
    return Promise.resolve();
  }

  abandon(scope: IdempotencyScope): Promise<void> {
    const entry = this.entries.get(named(scope));
    if (entry !== undefined) this.entries.set(named(scope), { ...entry, leased: false });
    return Promise.resolve();
  }

  endLeases(): void {
    for (const entry of this.entries.values()) entry.leased = false;
  }
}

const named = (scope: IdempotencyScope): string => JSON.stringify(Object.values(scope));
