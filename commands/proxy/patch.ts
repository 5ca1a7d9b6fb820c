import type { CommandContext, Outcome } from '#commands/context.ts';
import { changeProxy } from '#commands/proxy/change.ts';
import { checkContent, codeGiven, contentOf, namedIn } from '#commands/proxy/content.ts';
import type { Named, ProxyContent, ProxyDependencies, ProxyInput, Side } from '#commands/proxy/content.ts';
import { settle } from '#commands/settle.ts';
import { codeOf, reactorIdOf } from '#domain/proxy/state.ts';
import type { Transform } from '#domain/proxy/state.ts';
import type { Configuration } from '#src/configurations.ts';
import { mergePatch } from '#src/mergePatch.ts';
import type { ProxyWithSecrets } from '#src/proxySecrets.ts';

/** What a client may change of a proxy: absent members stay. Source: reference of proxies. */
export type ProxyPatch = Partial<Omit<ProxyInput, 'configuration' | 'application'>> & {
  configuration?: Readonly<Record<string, string | null>> | null;
  application?: { id?: string | null } | null;
};

/**
 * Merges a patch into a proxy (RFC 7386): null takes away a transform, an entry of the configuration, or the
 * application. A patch that names nothing changes nothing.
 * @throws ValidationFailed, NotFound, Conflicted, Unavailable
 */
export async function patchProxy(
  dependencies: ProxyDependencies,
  context: CommandContext,
  id: string,
  patch: ProxyPatch,
): Promise<Outcome<undefined>> {
  const executed = await changeProxy(dependencies, context, id, async (proxy) => {
    if (Object.values(patch).every((member) => member === undefined)) return undefined;
    const content = patched(proxy, patch);
    await checkContent(dependencies, context, content, { ...namedBy(patch, content), id });
    return content;
  });
  return settle(dependencies, executed.position, undefined);
}

function patched({ record, secrets }: ProxyWithSecrets, patch: ProxyPatch): ProxyContent {
  return contentOf({
    name: patch.name ?? record.name,
    destination_url: patch.destination_url ?? secrets.destinationUrl,
    ...patchedSide('request', record.requestTransform, patch),
    ...patchedSide('response', record.responseTransform, patch),
    application: patchedApplication(record.applicationId, patch.application),
    configuration: patchedConfiguration(secrets.configuration, patch.configuration),
    require_auth: patch.require_auth === undefined ? record.requireAuth : patch.require_auth,
  });
}

function patchedSide(side: Side, current: Transform | undefined, patch: ProxyPatch): Partial<ProxyInput> {
  const [code, reactorId] = [codeGiven(patch, side), patch[`${side}_reactor_id`]];
  const nextCode = code === undefined ? codeOf(current) : code;
  return {
    [`${side}_transform`]: nextCode === undefined || nextCode === null ? null : { code: nextCode },
    [`${side}_reactor_id`]: reactorId === undefined ? (reactorIdOf(current) ?? null) : reactorId,
  };
}

function patchedApplication(
  current: string | undefined,
  patch: ProxyPatch['application'],
): ProxyInput['application'] {
  if (patch === null) return null;
  const id = patch?.id === undefined ? current : patch.id;
  return id === undefined || id === null ? null : { id };
}

function patchedConfiguration(current: Configuration, patch: ProxyPatch['configuration']): Configuration {
  if (patch === undefined) return current;
  return (mergePatch(current, patch) ?? {}) as Configuration;
}

function namedBy(patch: ProxyPatch, content: ProxyContent): Omit<Named, 'id'> {
  const named = namedIn(content, patch);
  const ids = [patch.request_reactor_id, patch.response_reactor_id].map((id) => id?.toLowerCase());
  return {
    codeAt: named.codeAt,
    destinationUrl: patch.destination_url ?? undefined,
    applicationId: patch.application?.id?.toLowerCase(),
    configuration: Object.fromEntries(
      Object.entries(patch.configuration ?? {}).filter(
        (entry): entry is [string, string] => entry[1] !== null,
      ),
    ),
    transforms: named.transforms.filter((transform) => ids.includes(reactorIdOf(transform))),
  };
}
