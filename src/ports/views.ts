import type { Position } from '#ports/eventLog.ts';

/** What a process knows of how far the read models have come. */
export interface Views {
  /**
   * Waits until every view has applied a position, at most two seconds, and not at all while the runner is
   * more than two seconds behind.
   */
  waitFor(position: Position): Promise<'applied' | 'late'>;
  /**
   * Whether a view could not take an event about this, or without an id about anything of the tenant: what is read
   * there may be older than what was acknowledged.
   */
  isParked(tenantId: string, id?: string): boolean;
}
