import type { CommandContext } from '#commands/context.ts';
import { DecideAgain, execute } from '#commands/execute.ts';
import type { Executed } from '#commands/execute.ts';
import type { ProxyContent, ProxyDependencies } from '#commands/proxy/content.ts';
import { updateProxy as decide } from '#domain/proxy/decide.ts';
import { proxyStream } from '#domain/proxy/events.ts';
import { proxyFold } from '#domain/proxy/state.ts';
import type { ProxyState } from '#domain/proxy/state.ts';
import { NotFound } from '#src/errors.ts';
import { derivedId } from '#src/identifiers.ts';
import { storedSecrets, withSecretsOf } from '#src/proxySecrets.ts';
import type { ProxyWithSecrets } from '#src/proxySecrets.ts';

/**
 * Changes a proxy, which keeps its key, and stores its secrets as a new payload.
 * @param next what the proxy is to be, checked; undefined: as it is. Asked again after a conflict
 * @throws NotFound, Conflicted, Unavailable, and whatever `next` throws
 */
export async function changeProxy(
  dependencies: ProxyDependencies,
  context: CommandContext,
  id: string,
  next: (proxy: ProxyWithSecrets) => Promise<ProxyContent | undefined>,
): Promise<Executed<ProxyState>> {
  const { vault } = dependencies;
  const { tenantId, commandId } = context;
  const stream = proxyStream(tenantId, id);
  const payloadIdAt = (revision: bigint | 'none'): string =>
    derivedId(commandId, stream, revision, 'payload');
  return execute(dependencies, context, {
    stream,
    fold: proxyFold,
    decide: async (state, revision) => {
      if (state.status !== 'live') throw new NotFound();
      const current = await withSecretsOf(vault, state);
      if (current === undefined) throw new DecideAgain('the secrets were replaced or removed');
      const content = await next(current);
      if (content === undefined) return [];
      const { destinationUrl, configuration, ...attributes } = content;
      const payloadId = payloadIdAt(revision);
      const data = storedSecrets({ key: current.secrets.key, destinationUrl, configuration });
      await vault.store({ id: payloadId, tenantId, stream, data });
      return decide(state, { ...attributes, payloadId });
    },
    discard: (revision) => vault.remove(tenantId, [payloadIdAt(revision)]),
  });
}
