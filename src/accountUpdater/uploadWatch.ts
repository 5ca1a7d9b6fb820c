import { loadJob } from '#commands/accountUpdater/record.ts';
import { recordUpload } from '#commands/accountUpdater/recordUpload.ts';
import type { CommandDependencies } from '#commands/context.ts';
import { foldStream } from '#domain/fold.ts';
import { tenantStream } from '#domain/tenant/events.ts';
import { tenantFold } from '#domain/tenant/state.ts';
import type { ObjectStorage } from '#ports/objectStorage.ts';
import type { UploadWatch } from '#ports/objectTransfers.ts';
import { jobOfRequest } from '#src/accountUpdater/ids.ts';
import { NotFound } from '#src/errors.ts';

/** Request files are awaited until their job is started, and begin it when they are there. */
export const createUploadWatch = (
  dependencies: CommandDependencies & { objects: Pick<ObjectStorage, 'remove'> },
): UploadWatch => ({
  isAwaited: async (key) => {
    const subject = jobOfRequest(key);
    if (subject === undefined) return false;
    const tenant = foldStream(tenantFold, await dependencies.log.readStream(tenantStream(subject.tenantId)));
    // The files of one that was deleted are removed already, and must not come again.
    if (tenant.status !== 'live') return false;
    const { state } = await loadJob(dependencies, subject);
    return state.status === 'pending' || (state.status === 'processing' && state.work === undefined);
  },
  arrived: async (key, bytes) => {
    const subject = jobOfRequest(key);
    if (subject === undefined) return;
    const status = await recordUpload(dependencies, subject, { bytes }).then(
      (state) => state.status,
      (error: unknown) => {
        if (error instanceof NotFound) return 'expired';
        throw error;
      },
    );
    // The job ended while this came in: nobody would ever remove it.
    if (status !== 'processing') await dependencies.objects.remove(key);
  },
});
