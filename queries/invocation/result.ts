import { foldStream } from '#domain/fold.ts';
import { invocationStream } from '#domain/invocation/events.ts';
import { invocationFold } from '#domain/invocation/state.ts';
import type { Caller } from '#ports/accessDirectory.ts';
import type { QueryDependencies } from '#queries/dependencies.ts';
import { NotFound } from '#src/errors.ts';
import { isUuid } from '#src/identifiers.ts';
import type { ReactorAnswer } from '#src/reactors/invocation.ts';
import { keptIn } from '#src/reactors/kept.ts';
import { readPayload } from '#src/payloads.ts';

/**
 * What an asynchronous invocation came to. Nobody sees it but the application that asked, whose rights it was run
 * with.
 * @throws NotFound also while it is under way, and when the answer is no longer kept
 */
export async function getResult(
  { log, vault }: Pick<QueryDependencies, 'log' | 'vault'>,
  { tenantId, applicationId }: Pick<Caller, 'tenantId' | 'applicationId'>,
  { reactorId, id }: { reactorId: string; id: string },
): Promise<ReactorAnswer> {
  if (!isUuid(id)) throw new NotFound();
  const stream = invocationStream(tenantId, id.toLowerCase());
  const events = await log.readStream(stream);
  const state = foldStream(invocationFold, events);
  if (state.status === 'absent' || state.applicationId !== applicationId) throw new NotFound();
  if (state.reactorId !== reactorId.toLowerCase()) throw new NotFound();
  if (state.status !== 'completed' && state.status !== 'failed') {
    throw new NotFound(`There is no result yet: the invocation is ${state.status}.`);
  }
  const payload = await readPayload(vault, tenantId, { id: state.resultPayloadId, stream });
  const answer = await keptIn(payload);
  if (answer === undefined) {
    throw new NotFound('Results are kept for 24 hours, and those of security codes no longer than these.');
  }
  return answer as unknown as ReactorAnswer;
}
