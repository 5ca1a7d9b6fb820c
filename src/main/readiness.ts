import type { ReadinessCheck } from '#http/routes/system.ts';
import { LogRefused, LogUnavailable, WrongLog } from '#ports/eventLog.ts';
import type { Composition } from '#src/main/compose.ts';

/** What requests stand on. */
export function readinessChecks({
  pools,
  vault,
  log,
  logGuard,
  auditAnchors,
}: Composition): ReadinessCheck[] {
  return [
    {
      name: 'database',
      check: async () => {
        await pools.api.query('select 1');
        return undefined;
      },
    },
    {
      name: 'vault',
      check: async () => {
        const nobody = '00000000-0000-4000-8000-000000000000';
        await vault.read(nobody, [{ id: nobody, stream: 'readiness' }]);
        return undefined;
      },
    },
    {
      name: 'event_log',
      check: async () => {
        try {
          await log.head();
          await logGuard.check();
          return undefined;
        } catch (error) {
          if (error instanceof LogRefused || error instanceof WrongLog) return error.message;
          if (error instanceof LogUnavailable) return 'the event log cannot be reached';
          throw error;
        }
      },
    },
    {
      name: 'audit_log',
      check: async () => {
        await auditAnchors.check();
        const { rows } = await pools.audit.query<{ kept: boolean }>('select audit.is_writable() as kept');
        return rows[0]?.kept === true ? undefined : 'the audit log does not keep what is written';
      },
    },
    {
      name: 'read_models',
      check: async () => {
        const { rows } = await pools.api.query<{ view: string; status: string; last_error: string | null }>(
          `select view, status, last_error from work.projection_checkpoints
            where status = 'stopped' or last_error is not null`,
        );
        const [first] = rows;
        if (first === undefined) return undefined;
        const what = first.status === 'stopped' ? 'has stopped' : 'stands still';
        return `the view ${first.view} ${what}: ${first.last_error ?? 'no reason given'}`;
      },
    },
  ];
}
