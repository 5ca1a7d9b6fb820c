import type { ShownJob } from '#domain/accountUpdater/shown.ts';
import { withoutNulls } from '#http/presenters/withoutNulls.ts';
import { presentToken } from '#http/presenters/token.ts';
import type { RealTimeAnswer } from '#src/accountUpdater/realTime.ts';
import type { JobUrls } from '#src/accountUpdater/urls.ts';

/** A job as it goes out: members are there in the states that they belong to. spec: Account Updater Job */
export const presentJob = (job: ShownJob, urls: JobUrls): object =>
  withoutNulls({
    id: job.id,
    tenant_id: job.tenantId,
    status: job.status,
    created_by: job.createdBy,
    created_at: job.createdAt,
    ...(job.status === 'pending' ? { expires_at: job.expiresAt, upload_url: urls.upload } : {}),
    ...(job.status === 'processing' ? { rows: job.rows, processed: job.processed } : {}),
    ...(job.status === 'completed' ? { download_url: urls.download } : {}),
    ...(job.status === 'failed' ? { errors: job.errors } : {}),
  });

/** Source: reference of the real-time updater. */
export const presentRealTime = ({ code, newToken }: RealTimeAnswer): object => ({
  result_code: code,
  ...(newToken === undefined ? {} : { new_token: presentToken(newToken) }),
});
