import { connectionStream } from '#domain/connection/events.ts';
import { connectionFold } from '#domain/connection/state.ts';
import type { LiveConnection } from '#domain/connection/state.ts';
import { foldStream } from '#domain/fold.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { NotFound } from '#src/errors.ts';

export async function getConnection(
  { log }: Pick<QueryDependencies, 'log'>,
  tenantId: string,
  id: string,
): Promise<LiveConnection> {
  const state = foldStream(connectionFold, await log.readStream(connectionStream(tenantId, id)));
  if (state.status !== 'live') throw new NotFound();
  return state;
}

export async function connectionFields(
  { vault }: Pick<QueryDependencies, 'vault'>,
  { tenantId, payloadId }: LiveConnection,
): Promise<Record<string, string>> {
  const payload = (await vault.read(tenantId, [payloadId])).get(payloadId);
  return ((await payload?.data()) ?? {}) as Record<string, string>;
}
