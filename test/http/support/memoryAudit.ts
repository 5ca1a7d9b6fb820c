import { AuditUnavailable } from '#ports/audit.ts';
import type { Audit, AuditEntry } from '#ports/audit.ts';

/** The port in memory; it cannot be written to while the test says so. */
export class MemoryAudit implements Audit {
  readonly entries: AuditEntry[] = [];
  isDown = false;

  record(entries: readonly AuditEntry[]): Promise<void> {
    if (this.isDown) return Promise.reject(new AuditUnavailable('down'));
    this.entries.push(...entries);
    return Promise.resolve();
  }
}

export const nothingKnown = () => Promise.resolve(false);

export const systemClock = { now: () => new Date() };
