import type { Position } from '#ports/eventLog.ts';
import type { Progress, Report } from '#projections/engine/engine.ts';

export type Meter = {
  enter(phase: Progress['phase']): void;
  read(events: number, position: Position | null): void;
  events(): number;
};

/** Turns what is read into progress towards a position. */
export function createMeter(report: Report, target: Position | null): Meter {
  const startedAt = performance.now();
  const end = magnitude(target);
  let phase: Progress['phase'] = 'reading';
  let events = 0;
  let fraction: number | undefined;
  const tell = (): void => {
    const seconds = (performance.now() - startedAt) / 1_000;
    report({ phase, events, eventsPerSecond: Math.round(events / Math.max(seconds, 0.001)), fraction });
  };
  return {
    enter: (next) => {
      phase = next;
      tell();
    },
    read: (count, position) => {
      events += count;
      const at = magnitude(position);
      if (at !== undefined && end !== undefined && end > 0) fraction = Math.min(at / end, 1);
      tell();
    },
    events: () => events,
  };
}

/** For display only: the positions of both engines begin with a number that grows about evenly. */
function magnitude(position: Position | null): number | undefined {
  const [digits] = /^\d+/.exec(position ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
}
