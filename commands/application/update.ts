import { liveApplication } from '#commands/application/live.ts';
import { applicationFold } from '#domain/application/state.ts';
import { checkRights } from '#commands/application/rights.ts';
import type { RightsInput } from '#commands/application/rights.ts';
import { FaultList } from '#commands/attributes.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { updateApplication as decide } from '#domain/application/decide.ts';
import { applicationStream } from '#domain/application/events.ts';
import type { LiveApplication } from '#domain/application/state.ts';
import { NotFound, ValidationFailed } from '#src/errors.ts';

/**
 * Replaces the name, and permissions and rules together: where neither is given, both stay, as type, expiry and keys
 * do. spec: Update Application
 * @throws ValidationFailed, NotFound, Conflicted, Unavailable
 */
export async function updateApplication(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
  input: RightsInput,
): Promise<Outcome<LiveApplication>> {
  const executed = await execute(dependencies, context, {
    stream: applicationStream(context.tenantId, id),
    fold: applicationFold,
    decide: (state) => {
      const application = liveApplication(state, dependencies.clock);
      const publicFingerprints = input.public_fingerprints ?? application.publicFingerprints;
      if (isAbsent(input.permissions) && isAbsent(input.rules)) {
        return decide(state, { ...application, name: input.name, publicFingerprints });
      }
      const faults = new FaultList();
      const rights = checkRights(application.type, input, faults);
      if (faults.any) throw new ValidationFailed(faults.faults);
      return decide(state, { ...rights, publicFingerprints });
    },
  });
  if (executed.state.status !== 'live') throw new NotFound();
  return settle(dependencies, executed.position, executed.state);
}

const isAbsent = (rights: readonly unknown[] | null | undefined): boolean =>
  rights === undefined || rights === null;
