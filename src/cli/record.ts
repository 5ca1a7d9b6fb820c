import type { Composition } from '#src/main/compose.ts';

/** What an operator did that leaves no event is written into the audit log by itself. */
export async function record(
  { audit, clock }: Composition,
  {
    operation,
    entityType,
    tenantId,
  }: { operation: string; entityType: string; tenantId?: string | undefined },
): Promise<void> {
  await audit.record([
    {
      occurredAt: clock.now(),
      tenantId,
      actor: { type: 'operator', id: 'command line' },
      keyId: '',
      operation,
      entityType,
      entityId: '',
      outcome: 'succeeded',
      status: 0,
      detail: '',
      address: '',
      traceId: '',
    },
  ]);
}
