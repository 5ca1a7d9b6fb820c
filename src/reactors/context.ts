import type { CommandContext } from '#commands/context.ts';
import { commandContext } from '#commands/requestContext.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import type { Origin } from '#ports/dispatch.ts';
import { randomId } from '#src/identifiers.ts';

/** What an invocation does for its caller is a command of its own, which nothing repeats. */
export const contextOf = (caller: Caller, { traceId, address }: Origin): CommandContext =>
  commandContext({ caller, traceId, address, commandId: randomId(), repeated: false });
