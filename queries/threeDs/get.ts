import { foldStream } from '#domain/fold.ts';
import { threeDsSessionStream } from '#domain/threeDs/events.ts';
import { threeDsSessionFold } from '#domain/threeDs/state.ts';
import type { LiveThreeDsSession } from '#domain/threeDs/state.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { NotFound } from '#src/errors.ts';

export async function getThreeDsSession(
  { log }: Pick<QueryDependencies, 'log'>,
  tenantId: string,
  id: string,
): Promise<LiveThreeDsSession> {
  const state = foldStream(threeDsSessionFold, await log.readStream(threeDsSessionStream(tenantId, id)));
  if (state.status === 'absent') throw new NotFound();
  return state;
}
