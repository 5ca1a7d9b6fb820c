import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startS3Server } from '#test/storage/support/s3Server.ts';
import { header } from '#test/updater/support/files.ts';
import { createJob, ended, startUpdaterService } from '#test/updater/support/service.ts';
import { lookForUploads } from '#src/timers/accountUpdater.ts';
import { createWaitingJobs } from '#infra/postgres/waitingJobs.ts';
import { until } from '#test/support/until.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };

test('given a bucket, when a file is put there, then the job finds it, and its result is fetched from there', async () => {
  const server = await startS3Server('vault', credentials, () => new Date());
  const service = await startUpdaterService({
    environment: {
      HOLDFAST_S3_BUCKET: 'vault',
      HOLDFAST_S3_ENDPOINT: server.endpoint,
      HOLDFAST_S3_REGION: 'eu-x',
      HOLDFAST_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      HOLDFAST_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    },
  });
  try {
    const { composition } = service;
    const look = lookForUploads(composition, createWaitingJobs(composition.pools.owner));
    const job = await createJob(service);
    const { upload_url = '' } = job;
    assert.ok(upload_url.startsWith(`${server.endpoint}/vault/open/`));
    const put = await fetch(upload_url, { method: 'PUT', body: `${header}\nnobody,,,1\n` });
    assert.is(put.status, 200);
    await look.run();
    const { download_url = '' } = await ended(service, job.id);
    assert.ok(download_url.startsWith(`${server.endpoint}/vault/sealed/`));
    const got = await fetch(download_url);
    assert.match(await got.text(), /\nnobody,,,,,,ERR_INVALID_TOKEN\n$/);
    await until(() => server.objects.size === 1);
    const large = await createJob(service);
    await fetch(large.upload_url ?? '', { method: 'PUT', body: Buffer.alloc(30 * 1024 * 1024 + 1) });
    await look.run();
    const { status, errors } = await ended(service, large.id);
    assert.equal([status, errors], ['failed', ['The file is larger than 30 MB.']]);
    assert.is((await fetch(`${service.url}/objects/a/b/request.csv`)).status, 404);
  } finally {
    await service.close();
    await server.close();
  }
});

test.run();
