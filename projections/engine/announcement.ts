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
};

export function announcementOf(position: Position | null, invalidated: ReadonlySet<string> | 'all'): string {
  const everything: Announcement = { position, all: true };
  if (invalidated === 'all') return JSON.stringify(everything);
  if (invalidated.size === 0) return JSON.stringify({ position } satisfies Announcement);
  const named = JSON.stringify({ position, applications: [...invalidated] } satisfies Announcement);
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
