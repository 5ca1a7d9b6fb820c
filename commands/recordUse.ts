import type { CommandContext } from '#commands/context.ts';
import type { Audit, AuditActor } from '#ports/audit.ts';
import type { Clock } from '#ports/clock.ts';
import type { EntityType, Operation } from '#src/audit/vocabulary.ts';

/** What is about to be given to code or to somebody else, and how much of it. */
export type Use = {
  entityType: EntityType;
  operation: Extract<Operation, 'use' | 'invoke'>;
  entityId: string;
  detail: string;
};

/** Who uses it: anonymous callers of proxies do not command anything. */
export type User = Pick<CommandContext, 'tenantId' | 'keyId' | 'address' | 'traceId'> & { actor: AuditActor };

/** Writes down what is used, before anything of it leaves. @throws AuditUnavailable */
export function recordUse(
  { audit, clock }: { audit: Audit; clock: Clock },
  { tenantId, actor, keyId = '', address = '', traceId }: User,
  uses: readonly Use[],
): Promise<void> {
  const facts = { occurredAt: clock.now(), tenantId, actor, keyId, address, traceId };
  return audit.record(uses.map((use) => ({ ...facts, ...use, outcome: 'succeeded', status: 0 })));
}

/** {@link recordUse} of one token. @param detail the transform under which it is used */
export const recordTokenUse = (
  dependencies: { audit: Audit; clock: Clock },
  context: CommandContext,
  entityId: string,
  detail: string,
): Promise<void> =>
  recordUse(dependencies, context, [{ entityType: 'token', operation: 'use', entityId, detail }]);
