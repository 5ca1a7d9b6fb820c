import type { CommandContext } from '#commands/context.ts';
import type { Caller } from '#ports/accessDirectory.ts';

/** The command of a request: who asks, how it is traced, what it may have done before. */
export function commandContext(request: {
  caller: Caller;
  traceId: string;
  address: string;
  commandId: string;
  repeated: boolean;
}): CommandContext {
  const { caller, traceId, address, commandId, repeated } = request;
  return {
    tenantId: caller.tenantId,
    actor: { type: 'application', id: caller.applicationId },
    rights: caller,
    tenantSettings: caller.tenantSettings,
    traceId,
    address,
    keyId: caller.keyId,
    commandId,
    repeated,
  };
}
