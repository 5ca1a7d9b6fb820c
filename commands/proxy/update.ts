import type { CommandContext, Outcome } from '#commands/context.ts';
import { changeProxy } from '#commands/proxy/change.ts';
import { answerOf, checkContent, contentOf, namedIn } from '#commands/proxy/content.ts';
import type { ProxyDependencies, ProxyInput } from '#commands/proxy/content.ts';
import type { ProxyWithSecrets } from '#src/proxySecrets.ts';

/**
 * Replaces a proxy whole, but for its key. Source: reference of proxies.
 * @throws ValidationFailed, NotFound, Conflicted, Unavailable
 */
export async function updateProxy(
  dependencies: ProxyDependencies,
  context: CommandContext,
  id: string,
  input: ProxyInput,
): Promise<Outcome<ProxyWithSecrets>> {
  const content = contentOf(input);
  const executed = await changeProxy(dependencies, context, id, async () => {
    await checkContent(dependencies, context, content, namedIn(content, input, id));
    return content;
  });
  return answerOf(dependencies, executed);
}
