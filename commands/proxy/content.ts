import { FaultList } from '#commands/attributes.ts';
import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import type { Executed } from '#commands/execute.ts';
import { lentApplicationFault } from '#commands/lentApplication.ts';
import { settle } from '#commands/settle.ts';
import { loadStream } from '#commands/stream.ts';
import { targetUrlFault } from '#commands/targetUrl.ts';
import { clearTextFault } from '#domain/clearText.ts';
import { proxyLimits } from '#domain/proxy/limits.ts';
import { codeOf, reactorIdOf, transformOf } from '#domain/proxy/state.ts';
import type { ProxyAttributes, ProxyState, Transform } from '#domain/proxy/state.ts';
import { reactorStream } from '#domain/reactor/events.ts';
import { reactorFold } from '#domain/reactor/state.ts';
import type { OutboundGuard } from '#ports/outbound.ts';
import type { Configuration } from '#src/configurations.ts';
import { destinationListsOf } from '#src/destinations.ts';
import type { DestinationList } from '#src/destinations.ts';
import { NotFound, ValidationFailed } from '#src/errors.ts';
import { withSecretsOf } from '#src/proxySecrets.ts';
import type { ProxySecrets, ProxyWithSecrets } from '#src/proxySecrets.ts';
import { missingPackages } from '#src/tenantCode/required.ts';

export type ProxyDependencies = CommandDependencies & { outboundGuard: OutboundGuard };

/** Source: reference of proxies. */
export type ProxyInput = {
  name: string;
  destination_url: string;
  request_transform?: { code: string } | null;
  response_transform?: { code: string } | null;
  /** One at most: the same as the above. */
  request_transforms?: readonly { code: string }[] | null;
  response_transforms?: readonly { code: string }[] | null;
  request_reactor_id?: string | null;
  response_reactor_id?: string | null;
  application?: { id: string | null } | null;
  configuration?: Configuration | null;
  require_auth?: boolean | null;
};

/** All that a client says of a proxy; its key, the service made. */
export type ProxyContent = Omit<ProxyAttributes, 'payloadId'> & Omit<ProxySecrets, 'key'>;

export type Side = 'request' | 'response';
type TransformInput = Pick<ProxyInput, `${Side}_transform` | `${Side}_transforms`>;

/** What is put down for one way, in the one member or in the list. @throws ValidationFailed when they differ */
export function codeGiven(input: TransformInput, side: Side): string | null | undefined {
  const one = input[`${side}_transform`];
  const list = input[`${side}_transforms`];
  const [first] = list ?? [];
  if (one && first && one.code !== first.code) {
    throw new ValidationFailed({
      [`${side}_transforms`]: [`must be the same as ${side}_transform, or absent`],
    });
  }
  const given = one ?? first;
  if (given !== undefined && given !== null) return given.code;
  return one === undefined && list === undefined ? undefined : null;
}

/** @throws ValidationFailed when the transform of a way and its list differ */
export function contentOf(input: ProxyInput): ProxyContent {
  return {
    name: input.name,
    destinationUrl: input.destination_url,
    requestTransform: transformOf(codeGiven(input, 'request'), input.request_reactor_id?.toLowerCase()),
    responseTransform: transformOf(codeGiven(input, 'response'), input.response_reactor_id?.toLowerCase()),
    applicationId: input.application?.id?.toLowerCase(),
    configuration: input.configuration ?? {},
    requireAuth: input.require_auth ?? true,
  };
}

/** What of a content the request itself names: that must be there, while what it does not name may be gone. */
export type Named = Pick<ProxyContent, 'applicationId' | 'configuration'> & {
  transforms: readonly Transform[];
  /** Of the proxy; undefined: it is new. */
  id: string | undefined;
  destinationUrl: string | undefined;
  /** Where the code of each way stands in the request. */
  codeAt: Record<Side, string>;
};

const codeAt = (input: TransformInput, side: Side): string =>
  input[`${side}_transform`] || !input[`${side}_transforms`]
    ? `${side}_transform.code`
    : `${side}_transforms[0].code`;

export const namedIn = (content: ProxyContent, input: TransformInput, id?: string): Named => ({
  id,
  destinationUrl: content.destinationUrl,
  codeAt: { request: codeAt(input, 'request'), response: codeAt(input, 'response') },
  applicationId: content.applicationId,
  configuration: content.configuration,
  transforms: [content.requestTransform ?? [], content.responseTransform ?? []].flat(),
});

/**
 * Checks what no schema of a request can tell.
 * @throws ValidationFailed
 */
export async function checkContent(
  dependencies: ProxyDependencies,
  { tenantId, tenantSettings }: Pick<CommandContext, 'tenantId' | 'tenantSettings'>,
  content: ProxyContent,
  named: Named,
): Promise<void> {
  const faults = new FaultList();
  // One that the tenant does not allow any more is refused when it is called.
  const lists =
    named.destinationUrl === undefined ? [] : destinationListsOf(tenantSettings, [named.id ?? []].flat());
  const { codeBytes, configurationEntries } = proxyLimits;
  faults.addIfAny('destination_url', destinationFault(dependencies, content.destinationUrl, lists));
  const codes = [content.requestTransform, content.responseTransform].map((one) => codeOf(one) ?? '');
  if (Buffer.byteLength(JSON.stringify(codes)) > codeBytes) {
    const side = codes[0] === '' ? 'response' : 'request';
    const most = codeBytes.toLocaleString('en-US');
    faults.add(named.codeAt[side], `both transforms together must be at most ${most} bytes as JSON`);
  }
  if (Object.keys(content.configuration).length > configurationEntries) {
    faults.add('configuration', `must be an object of at most ${configurationEntries} properties`);
  }
  for (const [name, value] of Object.entries(named.configuration)) {
    const fault = clearTextFault(name);
    // A path must not repeat what is wrong with it.
    if (fault !== undefined) faults.add('configuration', fault);
    else faults.addIfAny(`configuration.${name}`, clearTextFault(value));
  }
  if (named.applicationId !== undefined) {
    const fault = await lentApplicationFault(dependencies, tenantId, named.applicationId);
    faults.addIfAny('application.id', fault);
  }
  for (const side of ['request', 'response'] as const) {
    const transform = content[`${side}Transform`];
    if (transform === undefined || !named.transforms.includes(transform)) continue;
    for (const fault of missingPackages(codeOf(transform) ?? '')) faults.add(named.codeAt[side], fault);
    faults.addIfAny(`${side}_reactor_id`, await reactorFault(dependencies, tenantId, transform));
  }
  if (faults.any) throw new ValidationFailed(faults.faults);
}

/** Why nothing may be proxied to a URL; undefined: nothing shows. Source: reference of proxies, destination URLs. */
export function destinationFault(
  { outboundGuard }: { outboundGuard: OutboundGuard },
  url: string,
  lists: readonly DestinationList[],
): string | undefined {
  const fault = targetUrlFault({ outboundGuard }, url, lists);
  if (fault !== undefined) return fault;
  return outboundGuard.namesAddress(url) ? 'must name its host, not give an address' : undefined;
}

async function reactorFault(
  { log }: CommandDependencies,
  tenantId: string,
  transform: Transform,
): Promise<string | undefined> {
  const id = reactorIdOf(transform);
  if (id === undefined) return undefined;
  const { state } = await loadStream(log, reactorStream(tenantId, id), reactorFold);
  return state.status === 'live' ? undefined : 'must be the id of a reactor';
}

/** The proxy as a command left it, with what the vault keeps of it. */
export async function answerOf(
  dependencies: CommandDependencies,
  { state, position }: Executed<ProxyState>,
): Promise<Outcome<ProxyWithSecrets>> {
  if (state.status !== 'live') throw new NotFound();
  const result = await withSecretsOf(dependencies.vault, state);
  if (result === undefined) throw new NotFound();
  return settle(dependencies, position, result);
}
