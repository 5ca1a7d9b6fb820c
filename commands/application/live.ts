import { hasExpired } from '#src/expiry.ts';
import type { ApplicationState, LiveApplication } from '#domain/application/state.ts';
import type { Clock } from '#ports/clock.ts';
import { NotFound } from '#src/errors.ts';

/** @throws NotFound when there is none, or its time has come */
export function liveApplication(state: ApplicationState, clock: Clock): LiveApplication {
  if (state.status !== 'live' || hasExpired(state, clock)) throw new NotFound();
  return state;
}
