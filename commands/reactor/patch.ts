import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { DecideAgain } from '#commands/execute.ts';
import { changeReactor } from '#commands/reactor/change.ts';
import { checkContent } from '#commands/reactor/content.ts';
import type { ReactorContent } from '#commands/reactor/content.ts';
import { settle } from '#commands/settle.ts';
import type { LiveReactor } from '#domain/reactor/state.ts';
import { withConfiguration } from '#src/configurations.ts';
import type { Configuration } from '#src/configurations.ts';
import { mergePatch } from '#src/mergePatch.ts';

/** What a client may change of a reactor: absent members stay. spec: Patch Reactor */
export type ReactorPatch = {
  name?: string;
  code?: string;
  configuration?: Readonly<Record<string, string | null>> | null;
  application?: { id?: string | null } | null;
};

/**
 * Merges a patch into a reactor (RFC 7386): null takes away an entry of the configuration, all of it, or the
 * application. A patch that names nothing changes nothing.
 * @throws ValidationFailed, NotFound, Conflicted, Unavailable
 */
export async function patchReactor(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
  patch: ReactorPatch,
): Promise<Outcome<undefined>> {
  const executed = await changeReactor(dependencies, context, id, async (reactor) => {
    if (changesNothing(patch)) return undefined;
    const content = await patched(dependencies, reactor, patch);
    const named = { code: patch.code, applicationId: patch.application?.id?.toLowerCase() };
    await checkContent(dependencies, context.tenantId, content, named);
    return content;
  });
  return settle(dependencies, executed.position, undefined);
}

const changesNothing = ({ name, code, configuration, application }: ReactorPatch): boolean =>
  name === undefined && code === undefined && configuration === undefined && application === undefined;

async function patched(
  { vault }: Pick<CommandDependencies, 'vault'>,
  reactor: LiveReactor,
  patch: ReactorPatch,
): Promise<ReactorContent> {
  const current = await withConfiguration(vault, reactor);
  if (current === undefined) throw new DecideAgain('the configuration was replaced or removed');
  return {
    name: patch.name ?? reactor.name,
    code: patch.code ?? reactor.code,
    applicationId: patchedApplication(reactor.applicationId, patch.application),
    configuration: patchedConfiguration(current.configuration, patch.configuration),
  };
}

function patchedApplication(
  current: string | undefined,
  patch: ReactorPatch['application'],
): string | undefined {
  if (patch === null) return undefined;
  return patch?.id === undefined ? current : patch.id?.toLowerCase();
}

function patchedConfiguration(current: Configuration, patch: ReactorPatch['configuration']): Configuration {
  if (patch === undefined) return current;
  return (mergePatch(current, patch) ?? {}) as Configuration;
}
