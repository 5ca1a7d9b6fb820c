import { recordUse } from '#commands/recordUse.ts';
import { presentToken } from '#http/presenters/token.ts';
import type { Audit } from '#ports/audit.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import type { Origin } from '#ports/dispatch.ts';
import type { Json } from '#ports/json.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { findRunnableReactor } from '#queries/reactor/runnable.ts';
import { readerOf } from '#queries/token/get.ts';
import { detokenize } from '#queries/token/detokenize.ts';
import { PayloadTooLarge } from '#src/errors.ts';
import { contextOf } from '#src/reactors/context.ts';
import { injectedTexts } from '#src/reactors/injected.ts';
import type { PreparedInvocation } from '#src/reactors/invocation.ts';

export type PrepareDependencies = QueryDependencies & { audit: Audit };

/** Of `args` with what was detokenized into it, in characters of JSON. */
const longestArgs = 5 * 1024 * 1024;

/** `req.args` as JSON. @throws PayloadTooLarge */
export function argsText(args: Json): string {
  const text = JSON.stringify(args);
  if (text.length <= longestArgs) return text;
  throw new PayloadTooLarge(`The detokenized args must be at most ${longestArgs} characters long.`);
}

/** See {@link Reactors.prepare}. */
export async function prepareInvocation(
  dependencies: PrepareDependencies,
  caller: Caller,
  reactorId: string,
  args: Json,
  origin: Origin,
): Promise<PreparedInvocation> {
  const reactor = await findRunnableReactor(dependencies, caller.tenantId, reactorId);
  // Faults are named by their path in the request.
  const { value, tokens } = await detokenize(
    dependencies,
    readerOf(caller),
    { args },
    (shown) => presentToken(shown) as Json,
    'token:use',
  );
  const detokenized = (value as { args: Json }).args;
  const text = argsText(detokenized);
  // Before the code runs, because it may send what it sees anywhere.
  await recordUse(dependencies, contextOf(caller, origin), [
    { entityType: 'reactor', operation: 'invoke', entityId: reactor.id, detail: '' },
    ...tokens.map(({ token, transform }) => ({
      entityType: 'token' as const,
      operation: 'use' as const,
      entityId: token.id,
      detail: transform,
    })),
  ]);
  const stored = tokens.flatMap(({ shortLivedSince }) => shortLivedSince?.getTime() ?? []);
  return {
    reactor,
    caller,
    args: text,
    injected: injectedTexts(args, detokenized),
    ...(stored.length === 0 ? {} : { shortLivedSince: new Date(Math.min(...stored)).toISOString() }),
    origin,
  };
}
