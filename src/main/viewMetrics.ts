import { Registry } from 'prom-client';
import { lagBehind } from '#infra/eventlog/lag.ts';
import type { Lag } from '#infra/eventlog/lag.ts';
import type { Clock } from '#ports/clock.ts';
import type { Position } from '#ports/eventLog.ts';
import type { Engine } from '#projections/engine/engine.ts';
import { status } from '#projections/engine/status.ts';
import { createGauges } from '#src/main/gauges.ts';

const described = {
  holdfast_projections_at_head: [[], 'Whether all views have come to the end of the event log (1).'],
  holdfast_view_position: [
    ['view'],
    'The position in the event log that a view has come to, as a number that grows with it.',
  ],
  holdfast_view_lag_events: [['view'], 'Events that a view has not applied yet, 10,000 at most.'],
  holdfast_view_lag_seconds: [
    ['view'],
    'The age of the first event that a view has not applied yet, in seconds; 0: it has all.',
  ],
  holdfast_view_parked_events: [
    ['view'],
    'Events that a view could not take, and those that wait behind them.',
  ],
  holdfast_view_skipped_events: [['view'], 'Events that were left out of a view for good.'],
  holdfast_view_stopped: [['view'], 'Whether a view has stopped and waits for a person (1).'],
  holdfast_unknown_events: [['type'], 'Events of types that this version does not know.'],
} as const;

/** How the views of the whole service stand, by the database and the log and not by what the runner thinks. */
export function createViewMetrics(engine: Engine, clock: Clock): Registry {
  const registry = new Registry();
  createGauges(registry, described, async (gauges) => {
    const { views, unknownTypes } = await status(engine);
    gauges.reset();
    const lags = new Map<Position | null, Promise<Lag>>();
    const lagAt = (position: Position | null): Promise<Lag> => {
      const lag = lags.get(position) ?? lagBehind({ ...engine, clock }, position);
      lags.set(position, lag);
      return lag;
    };
    let behind = 0;
    for (const { view, position, parked, skipped, status: standing } of views) {
      const lag = await lagAt(position);
      behind += lag.events;
      gauges.set('holdfast_view_position', { view }, numberOf(position));
      gauges.set('holdfast_view_lag_events', { view }, lag.events);
      gauges.set('holdfast_view_lag_seconds', { view }, lag.seconds);
      gauges.set('holdfast_view_parked_events', { view }, parked.length);
      gauges.set('holdfast_view_skipped_events', { view }, skipped);
      gauges.set('holdfast_view_stopped', { view }, standing === 'stopped' ? 1 : 0);
    }
    const isAtHead = behind === 0 && views.every(({ status: standing }) => standing === 'live');
    gauges.set('holdfast_projections_at_head', {}, isAtHead ? 1 : 0);
    for (const { type, events } of unknownTypes) gauges.set('holdfast_unknown_events', { type }, events);
  });
  return registry;
}

/** Positions of both engines begin with a number that grows. */
export const numberOf = (position: Position | null): number => Number.parseInt(position ?? '0', 10);
