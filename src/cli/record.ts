import { operatorOf } from '#src/cli/operator.ts';
import type { Composition } from '#src/main/compose.ts';

type Act = {
  operation: string;
  entityType: string;
  tenantId?: string | undefined;
  entityId?: string;
  detail?: string;
};

/** What an operator did that leaves no event is written into the audit log by itself. */
export async function record(
  { audit, clock, config }: Composition,
  { operation, entityType, tenantId, entityId = '', detail = '' }: Act,
): Promise<void> {
  await audit.record([
    {
      occurredAt: clock.now(),
      tenantId,
      actor: operatorOf(config),
      keyId: '',
      operation,
      entityType,
      entityId,
      outcome: 'succeeded',
      status: 0,
      detail,
      address: '',
      traceId: '',
    },
  ]);
}
