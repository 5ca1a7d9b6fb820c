import type { CommandContext } from '#commands/context.ts';
import { randomId } from '#src/identifiers.ts';

/** The context of a command that no request asked for. */
export function systemContext(tenantId: string, actor: CommandContext['actor']): CommandContext {
  return {
    tenantId,
    actor,
    rights: { permissions: [], rules: [] },
    traceId: randomId(),
    commandId: randomId(),
    repeated: false,
  };
}
