import type { InvocationLog } from '#ports/reactorLogs.ts';
import type { LogLine } from '#ports/sandbox.ts';
import type { Vault } from '#ports/vault.ts';
import { withConfiguration } from '#src/configurations.ts';
import type { Configuration } from '#src/configurations.ts';
import { randomId } from '#src/identifiers.ts';
import type { EndedInvocation } from '#src/reactors/logs/ended.ts';
import { redact } from '#src/reactors/redaction/redact.ts';

/** Of one invocation: lines, and characters of all. */
const mostLines = 200;
const mostLength = 64 * 1024;
const withheld = 'What was printed is withheld: the configuration that it may hold was replaced meanwhile.';

/**
 * What may be kept of invocations of one reactor. A configuration that nobody loaded is read now: an invocation that
 * prints nothing shall not cost that.
 * @throws StoreUnavailable, IntegrityError
 */
export async function invocationLogsOf(
  vault: Pick<Vault, 'read'>,
  ended: readonly EndedInvocation[],
): Promise<InvocationLog[]> {
  const configurations = new Map<string, Configuration | undefined>();
  for (const { payloadId, configuration } of ended) {
    if (configuration !== undefined) configurations.set(payloadId, configuration);
  }
  const configurationOf = async ({
    tenantId,
    reactorId: id,
    payloadId,
  }: EndedInvocation): Promise<Configuration | undefined> => {
    if (!configurations.has(payloadId)) {
      const found = await withConfiguration(vault, { tenantId, id, payloadId });
      configurations.set(payloadId, found?.configuration);
    }
    return configurations.get(payloadId);
  };

  const logs: InvocationLog[] = [];
  for (const one of ended) {
    const { lines } = one;
    const configuration = one.configuration ?? (lines.length === 0 ? {} : await configurationOf(one));
    logs.push({
      id: randomId(),
      traceId: one.traceId,
      startedAt: one.startedAt,
      milliseconds: one.milliseconds,
      outcome: one.outcome,
      status: one.status,
      lines:
        configuration === undefined
          ? [{ level: 'warn', text: withheld }]
          : bounded(redact(lines, { injected: one.injected, configuration })),
    });
    // Each may take some milliseconds, which requests need not wait for together.
    await new Promise(setImmediate);
  }
  return logs;
}

/** The first lines; and the last, because it says what went wrong. */
function bounded(lines: readonly LogLine[]): LogLine[] {
  const last = lines.at(-1);
  if (last === undefined) return [];
  let room = mostLength - last.text.length;
  const first = lines.slice(0, -1).slice(0, mostLines - 1);
  const kept = first.flatMap((line) => {
    if (room <= 0) return [];
    const text = line.text.slice(0, room);
    room -= line.text.length;
    return [{ ...line, text }];
  });
  return [...kept, { ...last, text: last.text.slice(0, mostLength) }];
}
