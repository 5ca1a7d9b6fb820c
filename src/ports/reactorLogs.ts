import type { LogLine, SandboxOutcome } from '#ports/sandbox.ts';

/** What an invocation of a reactor left to be read, without secrets that could be found in it. */
export type InvocationLog = {
  /** A uuid. */
  id: string;
  traceId: string;
  startedAt: Date;
  milliseconds: number;
  outcome: SandboxOutcome['kind'];
  /** Of the answer, where there was one. */
  status: number | undefined;
  lines: readonly Pick<LogLine, 'level' | 'text'>[];
};

/** Of a reactor; those before are forgotten. */
export const keptInvocations = 20;

/** The logs of the last invocations of each reactor, for days. Encrypted: code may print what nothing finds. */
export interface ReactorLogs {
  /** @throws StoreUnavailable; nothing is kept, and nothing thrown, for a tenant whose keys were destroyed */
  keep(tenantId: string, reactorId: string, logs: readonly InvocationLog[]): Promise<void>;
  /** Newest first. @throws StoreUnavailable, IntegrityError */
  list(tenantId: string, reactorId: string): Promise<InvocationLog[]>;
  /** Again is harmless. @throws StoreUnavailable */
  forget(tenantId: string, reactorIds: readonly string[]): Promise<void>;
  /** {@link ReactorLogs.forget} for all of a tenant. @throws StoreUnavailable */
  forgetTenant(tenantId: string): Promise<void>;
}
