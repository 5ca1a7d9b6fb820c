import type { CommandContext, CommandDependencies, Outcome } from '#commands/context.ts';
import { execute } from '#commands/execute.ts';
import { settle } from '#commands/settle.ts';
import { deleteProxy as decide } from '#domain/proxy/decide.ts';
import { proxyStream } from '#domain/proxy/events.ts';
import { proxyFold } from '#domain/proxy/state.ts';

/**
 * Deletes a proxy; subscribers then remove its key and secrets from the vault. Source: reference of proxies.
 * @throws NotFound, Conflicted, Unavailable
 */
export async function deleteProxy(
  dependencies: CommandDependencies,
  context: CommandContext,
  id: string,
): Promise<Outcome<undefined>> {
  const executed = await execute(dependencies, context, {
    stream: proxyStream(context.tenantId, id),
    fold: proxyFold,
    trustsAnything: true,
    decide,
  });
  return settle(dependencies, executed.position, undefined);
}
