import type { LogPage, Position, RecordedEvent } from '#ports/eventLog.ts';

/** An event that was given to a subscriber by itself, and could not be handled. */
export class EventFailed extends Error {
  override readonly name = 'EventFailed';
  readonly event: RecordedEvent;
  constructor(event: RecordedEvent, cause: unknown) {
    super(`the event ${event.id} could not be handled`, { cause });
    this.event = event;
  }
}

/** What is handled before the checkpoint is moved to a position. */
export type Portion = { events: readonly RecordedEvent[]; upTo: Position | null };

type How = {
  /** Events that are left out for good. */
  skipped: ReadonlySet<string>;
  oneByOne: boolean;
};

/** A page in portions: whole, or as small as checkpoints can be, which lie between ordinals. */
export function portionsOf({ events, scanned }: LogPage, { skipped, oneByOne }: How): Portion[] {
  const wanted = events.filter(({ id }) => !skipped.has(id));
  if (!oneByOne) return [{ events: wanted, upTo: scanned }];
  const portions = [...Map.groupBy(wanted, ({ ordinal }) => ordinal).values()].map((together) => ({
    events: together,
    upTo: together.at(-1)?.position ?? scanned,
  }));
  return portions.at(-1)?.upTo === scanned ? portions : [...portions, { events: [], upTo: scanned }];
}
