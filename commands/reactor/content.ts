import { FaultList } from '#commands/attributes.ts';
import type { CommandDependencies, Outcome } from '#commands/context.ts';
import type { Executed } from '#commands/execute.ts';
import { lentApplicationFault } from '#commands/lentApplication.ts';
import { settle } from '#commands/settle.ts';
import { reactorLimits } from '#domain/reactor/limits.ts';
import type { LiveReactor, ReactorAttributes, ReactorState } from '#domain/reactor/state.ts';
import { withConfiguration } from '#src/configurations.ts';
import type { Configuration, WithConfiguration } from '#src/configurations.ts';
import { NotFound, ValidationFailed } from '#src/errors.ts';
import { missingPackages } from '#src/tenantCode/required.ts';

/** spec: Create / Update Reactor */
export type ReactorInput = {
  name: string;
  code: string;
  configuration?: Configuration | null;
  application?: { id: string | null } | null;
};

/** All that a client says of a reactor. */
export type ReactorContent = Omit<ReactorAttributes, 'payloadId'> & { configuration: Configuration };

export const contentOf = ({ name, code, configuration, application }: ReactorInput): ReactorContent => ({
  name,
  code,
  configuration: configuration ?? {},
  applicationId: application?.id?.toLowerCase(),
});

/** What of a content the request itself names: that must be there, while what it does not name may be gone. */
export type Named = { applicationId?: string | undefined; code?: string | undefined };

/**
 * Checks what no schema of a request can tell.
 * @throws ValidationFailed
 */
export async function checkContent(
  dependencies: CommandDependencies,
  tenantId: string,
  { code, configuration }: ReactorContent,
  named: Named,
): Promise<void> {
  const faults = new FaultList();
  const { codeBytes, configurationEntries } = reactorLimits;
  if (Buffer.byteLength(JSON.stringify(code)) > codeBytes) {
    faults.add('code', `must be at most ${codeBytes.toLocaleString('en-US')} bytes as JSON`);
  }
  if (Object.keys(configuration).length > configurationEntries) {
    faults.add('configuration', `must be an object of at most ${configurationEntries} properties`);
  }
  for (const fault of missingPackages(named.code ?? '')) faults.add('code', fault);
  if (named.applicationId !== undefined) {
    faults.addIfAny(
      'application.id',
      await lentApplicationFault(dependencies, tenantId, named.applicationId),
    );
  }
  if (faults.any) throw new ValidationFailed(faults.faults);
}

/** The reactor as a command left it. @param written its configuration, if this run has written it */
export async function answerOf(
  dependencies: CommandDependencies,
  { state, position, repeated }: Executed<ReactorState>,
  written: Configuration,
): Promise<Outcome<WithConfiguration<LiveReactor>>> {
  if (state.status !== 'live') throw new NotFound();
  // An earlier run of the command wrote, maybe something else: only the vault knows what.
  const result = repeated
    ? await withConfiguration(dependencies.vault, state)
    : { record: state, configuration: written };
  if (result === undefined) throw new NotFound();
  return settle(dependencies, position, result);
}
