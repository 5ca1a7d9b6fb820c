import { Counter } from 'prom-client';
import type { IntegrityAlarm } from '#ports/integrityAlarm.ts';
import type { Logger } from '#ports/logger.ts';

const kinds = ['credential', 'application', 'session', 'tenant', 'proxy', 'reactor'];

export type IntegrityAlarms = { alarm: IntegrityAlarm; counter: Counter };

/**
 * An entry in the log for each alarm, and a counter: any value but 0 is somebody's affair at once. Processes that serve
 * are counted together, under another name than the one that works behind them.
 */
export function createIntegrityAlarms(logger: Logger, serves: boolean): IntegrityAlarms {
  const counter = new Counter({
    name: serves ? 'holdfast_integrity_alarms_total' : 'holdfast_worker_integrity_alarms_total',
    help: 'Credentials and rights that were refused because they are not what was given, by what they belong to.',
    labelNames: ['kind'],
    registers: [],
  });
  for (const kind of kinds) counter.inc({ kind }, 0);
  return {
    counter,
    alarm: ({ kind, name, what }) => {
      counter.inc({ kind });
      logger.error({ kind, name, what }, 'rights were changed in the database');
    },
  };
}
