import type { CommandContext, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { answerOf, checkContent, contentOf, namedIn } from '#commands/proxy/content.ts';
import type { ProxyDependencies, ProxyInput } from '#commands/proxy/content.ts';
import { createProxy as decide } from '#domain/proxy/decide.ts';
import { proxyStream } from '#domain/proxy/events.ts';
import { proxyFold } from '#domain/proxy/state.ts';
import { Unavailable } from '#src/errors.ts';
import { derivedId, resourceId } from '#src/identifiers.ts';
import { storedSecrets } from '#src/proxySecrets.ts';
import type { ProxyWithSecrets } from '#src/proxySecrets.ts';
import { readPayload } from '#src/payloads.ts';
import type { PayloadReference } from '#ports/vault.ts';

/**
 * Creates a proxy, and the key that names it. Its code is kept as it is, and not run.
 * Source: reference of proxies.
 * @throws ValidationFailed, Conflicted, Unavailable
 */
export async function createProxy(
  dependencies: ProxyDependencies,
  context: CommandContext,
  input: ProxyInput,
): Promise<Outcome<ProxyWithSecrets>> {
  const { vault, credentials } = dependencies;
  const { tenantId, commandId } = context;
  const id = resourceId(commandId, 'proxy');
  const stream = proxyStream(tenantId, id);
  const payloadId = derivedId(commandId, stream, 'none', 'payload');
  const content = contentOf(input);
  const { destinationUrl, configuration, ...attributes } = content;
  const executed = await execute(dependencies, context, {
    stream,
    fold: proxyFold,
    expectNew: true,
    decide: async (state) => {
      await checkContent(dependencies, context, content, namedIn(content, input));
      const key = credentials.generate('proxy');
      const data = storedSecrets({ key, destinationUrl, configuration });
      await vault.store({ id: payloadId, tenantId, stream, data });
      const kept = context.repeated ? await keyKept(dependencies, tenantId, { id: payloadId, stream }) : key;
      await credentials.store({ tenantId, applicationId: id, keyId: id }, kept);
      return decide(state, { id, ...attributes, payloadId });
    },
  });
  return answerOf(dependencies, executed);
}

/** An earlier run of the command may have stored its own, which the vault does not give up for another. */
async function keyKept(
  { vault }: Pick<ProxyDependencies, 'vault'>,
  tenantId: string,
  reference: PayloadReference,
): Promise<string> {
  const payload = await readPayload(vault, tenantId, reference);
  const stored = (await payload?.data()) as { key: string } | undefined;
  if (stored === undefined) throw new Unavailable('What was stored a moment ago is gone; try again.');
  return stored.key;
}
