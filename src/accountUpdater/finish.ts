import { recordStep } from '#commands/accountUpdater/record.ts';
import type { LoadedJob } from '#commands/accountUpdater/record.ts';
import { completeJob } from '#domain/accountUpdater/decide.ts';
import type { Work } from '#domain/accountUpdater/state.ts';
import type { UpdaterDependencies } from '#src/accountUpdater/dependencies.ts';
import { objectKeys } from '#src/accountUpdater/ids.ts';
import { resultHeader } from '#src/accountUpdater/resultRows.ts';
import type { ObjectStorage } from '#ports/objectStorage.ts';

/** Whether every chunk is completed, and nothing but the result file is missing. */
export const isReady = ({ chunks }: Work): boolean => chunks.every(({ status }) => status === 'completed');

/** Puts the result file together, and ends the job. @throws what may go better later */
export async function finish(
  { objects, ...dependencies }: UpdaterDependencies,
  job: LoadedJob,
  { chunks }: Work,
): Promise<void> {
  const { tenantId, id } = job.subject;
  const header = Buffer.from(resultHeader);
  const sizes = chunks.map((chunk) => (chunk.status === 'completed' ? chunk.resultBytes : 0));
  const bytes = sizes.reduce((sum, size) => sum + size, header.length);
  const parts = chunks.map((_, chunk) => objectKeys.part(tenantId, id, chunk));
  await objects.write(objectKeys.result(tenantId, id), contentOf(objects, header, parts), bytes);
  await recordStep(dependencies, job, ['completed'], (state) => completeJob(state, bytes));
}

async function* contentOf(
  objects: Pick<ObjectStorage, 'read'>,
  header: Uint8Array,
  parts: readonly string[],
): AsyncGenerator<Uint8Array> {
  yield header;
  for (const part of parts) yield* await objects.read(part);
}
