import { liveApplication } from '#commands/application/live.ts';
import { applicationFold } from '#domain/application/state.ts';
import type { CommandContext, CommandDependencies } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { permissionsOf } from '#access/permissions.ts';
import { updateApplication as decide } from '#domain/application/decide.ts';
import { applicationStream } from '#domain/application/events.ts';

/** Gives an application that holds every permission of its type those that this version has added. */
export async function grantEveryPermission(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<void> {
  await execute(dependencies, context, {
    stream: applicationStream(context.tenantId, id),
    fold: applicationFold,
    decide: (state) => {
      const application = liveApplication(state, dependencies.clock);
      const missing = permissionsOf(application.type).filter((one) => !application.permissions.includes(one));
      if (!application.everyPermission || missing.length === 0) return [];
      return decide(state, { ...application, permissions: permissionsOf(application.type) });
    },
  });
}
