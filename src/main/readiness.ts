import type { ReadinessCheck } from '#http/routes/system.ts';
import type { Composition } from '#src/main/compose.ts';
import { WrongLog } from '#ports/eventLog.ts';

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
        await log.head();
        try {
          await logGuard.check();
          return undefined;
        } catch (error) {
          if (error instanceof WrongLog) return error.message;
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
        const stopped = await pools.api.query<{ view: string; last_error: string | null }>(
          "select view, last_error from work.projection_checkpoints where status = 'stopped'",
        );
        const [first] = stopped.rows;
        return first === undefined
          ? undefined
          : `the view ${first.view} has stopped: ${first.last_error ?? 'no reason given'}`;
      },
    },
  ];
}
