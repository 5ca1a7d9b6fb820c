import type { CommandContext } from '#commands/context.ts';
import type { PaymentDependencies } from '#src/orchestration/dependencies.ts';

/** Writes down that a token is used, before anything of it leaves. @throws AuditUnavailable */
export const auditUse = (
  { audit, clock }: Pick<PaymentDependencies, 'audit' | 'clock'>,
  context: CommandContext,
  tokenId: string,
): Promise<void> =>
  audit.record([
    {
      occurredAt: clock.now(),
      tenantId: context.tenantId,
      actor: context.actor,
      keyId: context.keyId ?? '',
      operation: 'use',
      entityType: 'token',
      entityId: tokenId,
      outcome: 'succeeded',
      status: 0,
      detail: 'reveal',
      address: context.address ?? '',
      traceId: context.traceId,
    },
  ]);
