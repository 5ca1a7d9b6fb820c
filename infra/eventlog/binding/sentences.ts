import type { EventLog } from '#ports/eventLog.ts';
import { WrongLog } from '#ports/eventLog.ts';
import type { Reader } from '#infra/eventlog/binding/installation.ts';
import type { LastEvent } from '#src/lastEvent.ts';

/** A log, and where it is: `PostgreSQL`, or a server and a prefix; without credentials. */
export type PlacedLog = { log: EventLog; place: string };

export type NamedLog = { id: string; place: string | null };

const adopt = 'or stop the service and run `holdfast log adopt`';

export const nameOfLog = ({ id, place }: NamedLog): string =>
  place === null ? `event log ${id}` : `event log ${id} (${place})`;

export const isAnother = (expected: NamedLog, found: NamedLog): WrongLog =>
  new WrongLog(
    `this installation writes to the ${nameOfLog(expected)}, and the settings name the ${nameOfLog(found)}: ` +
      `set EVENTSTOREDB_URL and HOLDFAST_STREAM_PREFIX as they were, ${adopt}`,
  );

export const belongsToAnother = (found: NamedLog): WrongLog =>
  new WrongLog(
    `the ${nameOfLog(found)} belongs to another installation: ` +
      `give this one a HOLDFAST_STREAM_PREFIX or an EVENTSTOREDB_URL of its own, ${adopt}`,
  );

export const holdsOthers = (found: NamedLog): WrongLog =>
  new WrongLog(
    `the ${nameOfLog(found)} holds events of tenants that this installation does not know: ` +
      `give it a HOLDFAST_STREAM_PREFIX or an EVENTSTOREDB_URL of its own, ${adopt}`,
  );

export const hasLost = (found: NamedLog, { name }: Reader, last: LastEvent): WrongLog =>
  new WrongLog(
    `the ${nameOfLog(found)} no longer has the event ${last.id} at ${last.position}, which ${name} has read: ` +
      `it was put back to an earlier state; restore it, ${adopt}`,
  );

export const endsEarly = (found: NamedLog, name: string, position: string, head: string | null): WrongLog =>
  new WrongLog(
    `the ${nameOfLog(found)} ends at ${head ?? 'its beginning'}, and ${name} has read it up to ${position}: ` +
      `events are missing; restore them, ${adopt}`,
  );
