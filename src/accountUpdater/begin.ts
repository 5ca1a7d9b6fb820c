import { setTimeout as sleep } from 'node:timers/promises';
import { recordStep } from '#commands/accountUpdater/record.ts';
import type { LoadedJob } from '#commands/accountUpdater/record.ts';
import { failJob, startJob } from '#domain/accountUpdater/decide.ts';
import type { Plan } from '#domain/accountUpdater/decide.ts';
import type { ObjectStorage } from '#ports/objectStorage.ts';
import type { Views } from '#ports/views.ts';
import { planChunks, rowsOfChunk } from '#src/accountUpdater/chunks.ts';
import type { UpdaterDependencies } from '#src/accountUpdater/dependencies.ts';
import { mostBytesOfRequest, objectKeys } from '#src/accountUpdater/ids.ts';
import { RepeatFinder } from '#src/accountUpdater/repeats.ts';
import { writeRepeats } from '#src/accountUpdater/shared.ts';
import { UnusableFile } from '#src/accountUpdater/unusableFile.ts';

/** Between two looks at how far the views are, in milliseconds. */
const pause = 250;
/** So often, before another try of the whole. */
const looks = 240;

/**
 * Seals the file of a job and cuts it into chunks, or ends the job when the file is unusable. Answers the job as it
 * is then. @throws what may go better later
 */
export async function beginJob(dependencies: UpdaterDependencies, job: LoadedJob): Promise<LoadedJob> {
  const { tenantId, id } = job.subject;
  // What was there before the file came is in the views when its rows are looked up.
  await shown(dependencies.views, job);
  const finder = new RepeatFinder();
  const plan = await planOrFault(dependencies.objects, objectKeys.request(tenantId, id), finder);
  if (!(plan instanceof UnusableFile)) {
    for (const [chunk, repeats] of finder.ofChunks(plan.chunkRows)) {
      await writeRepeats(dependencies.objects, job.subject, chunk, repeats);
    }
  }
  const executed =
    plan instanceof UnusableFile
      ? await recordStep(dependencies, job, ['failed'], (state) => failJob(state, [plan.message]))
      : await recordStep(dependencies, job, ['started'], (state) => startJob(state, plan));
  return { ...job, ...executed };
}

async function planOrFault(
  objects: ObjectStorage,
  key: string,
  finder: RepeatFinder,
): Promise<Plan | UnusableFile> {
  const { outcome } = await objects.seal(key, { mostBytes: mostBytesOfRequest });
  if (outcome === 'too_large') return new UnusableFile('too_large');
  if (outcome === 'absent') return new UnusableFile('absent');
  try {
    return await planChunks(await objects.read(key), rowsOfChunk, finder);
  } catch (error) {
    if (error instanceof UnusableFile) return error;
    throw error;
  }
}

async function shown(views: Views, { last }: LoadedJob): Promise<void> {
  if (last === undefined) return;
  for (let look = 0; (await views.waitFor(last.position)) === 'late'; look++) {
    if (look === looks) throw new Error('the views are far behind');
    await sleep(pause);
  }
}
