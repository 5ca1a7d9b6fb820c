import type { Position } from '#ports/eventLog.ts';

/** The channel on which the runner says how far the views have come. */
export const viewsChannel = 'holdfast_views';

/** Postgres refuses payloads of 8,000 bytes. */
const maximumBytes = 7_900;

export type Announcement = {
  /** Every view has come this far. */
  position: Position | null;
  /** Applications whose cached access must be dropped. */
  applications?: readonly string[];
  /** All cached access must be dropped. */
  all?: true;
  /** Which streams wait behind an event that a view could not take has changed. */
  parked?: true;
};

/** @param parks whether the page may have parked streams */
export function announcementOf(
  position: Position | null,
  invalidated: ReadonlySet<string> | 'all',
  parks = false,
): string {
  const told: Announcement = { position, ...(parks ? { parked: true } : {}) };
  const everything: Announcement = { ...told, all: true };
  if (invalidated === 'all') return JSON.stringify(everything);
  if (invalidated.size === 0) return JSON.stringify(told);
  const named = JSON.stringify({ ...told, applications: [...invalidated] } satisfies Announcement);
  return Buffer.byteLength(named) <= maximumBytes ? named : JSON.stringify(everything);
}

/** Undefined when this is none: anyone who may connect may send notifications. */
export function parseAnnouncement(payload: string): Announcement | undefined {
  try {
    const parsed: unknown = JSON.parse(payload);
    return isAnnouncement(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isAnnouncement(value: unknown): value is Announcement {
  if (typeof value !== 'object' || value === null || !('position' in value)) return false;
  return value.position === null || typeof value.position === 'string';
}
