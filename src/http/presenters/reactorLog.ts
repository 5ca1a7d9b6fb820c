import { withoutNulls } from '#http/presenters/withoutNulls.ts';
import type { InvocationLog } from '#ports/reactorLogs.ts';

/** What an invocation left to be read, as it goes out. */
export const presentReactorLog = (log: InvocationLog): object =>
  withoutNulls({
    id: log.id,
    trace_id: log.traceId,
    started_at: log.startedAt.toISOString(),
    milliseconds: log.milliseconds,
    outcome: log.outcome,
    status: log.status,
    lines: log.lines,
  });
