import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lookForUploads } from '#src/timers/accountUpdater.ts';
import { createWaitingJobs } from '#infra/postgres/waitingJobs.ts';
import { objectKeys } from '#src/accountUpdater/ids.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { header, inParts } from '#test/updater/support/files.ts';
import {
  createJob,
  ended,
  getJob,
  here,
  startUpdaterService,
  upload,
} from '#test/updater/support/service.ts';

type Context = { service: VaultService };

const uploads = suite<Context>('uploads of request files');

uploads.before(async (context) => {
  context.service = await startUpdaterService();
});
uploads.after(({ service }) => service.close());

const megabytes30 = 30 * 1024 * 1024;

/** Sends content in chunks, without saying how much it will be. */
async function uploadInChunks(url: string, content: AsyncIterable<Uint8Array>): Promise<number> {
  const answered = Promise.withResolvers<number>();
  const put = request(url, { method: 'PUT' }, (response) => {
    void text(response).then(() => {
      answered.resolve(response.statusCode ?? 0);
    });
  });
  put.on('error', answered.reject);
  for await (const part of content) {
    if (put.destroyed) break;
    if (!put.write(part)) {
      await Promise.race([new Promise((resume) => put.once('drain', resume)), answered.promise]);
    }
  }
  put.end();
  return answered.promise;
}

async function* zeros(bytes: number): AsyncGenerator<Uint8Array> {
  const part = Buffer.alloc(65_536, '0');
  for (let sent = 0; sent < bytes; sent += part.length) {
    yield await Promise.resolve(part.subarray(0, Math.min(part.length, bytes - sent)));
  }
}

uploads('given a file of 30 MB, also in chunks, then it is taken', async ({ service }) => {
  const job = await createJob(service);
  assert.is(await uploadInChunks(here(service, job.upload_url), zeros(megabytes30)), 200);
  const { errors } = await ended(service, job.id);
  assert.is(errors?.length, 1);
});

uploads('given a larger file, also in chunks, then it is 413, and the job waits on', async ({ service }) => {
  const job = await createJob(service);
  const url = here(service, job.upload_url);
  assert.is(await uploadInChunks(url, zeros(megabytes30 + 1)), 413);
  assert.is(await upload(service, job, Buffer.alloc(megabytes30 + 1)), 413);
  assert.is((await getJob(service, job.id)).status, 'pending');
  const key = objectKeys.request(service.tenantId, job.id);
  assert.is(await service.composition.objects.head(key), undefined);
});

uploads('given a URL that was changed, or is none of ours, then it is 403', async ({ service }) => {
  const job = await createJob(service);
  const url = new URL(here(service, job.upload_url));
  const other = await createJob(service);
  const changes: ((changed: URL) => void)[] = [
    (changed) => (changed.pathname = new URL(here(service, other.upload_url)).pathname),
    (changed) => changed.searchParams.set('expires', '99999999999'),
    (changed) => changed.searchParams.set('size', '99999999999'),
    (changed) => changed.searchParams.set('signature', 'a'.repeat(43)),
    (changed) => changed.searchParams.delete('signature'),
  ];
  for (const change of changes) {
    const changed = new URL(url);
    change(changed);
    const response = await fetch(changed, { method: 'PUT', body: header });
    assert.is(response.status, 403, changed.search);
  }
  assert.is((await fetch(url)).status, 403);
  assert.is((await getJob(service, job.id)).status, 'pending');
});

uploads(
  'given another file before the first is read, then it takes its place; afterwards it is 409',
  async () => {
    const service = await startVaultService({ invocations: { updatesElsewhere: true } });
    try {
      const job = await createJob(service);
      assert.is(await upload(service, job, 'first'), 200);
      assert.is((await getJob(service, job.id)).status, 'processing');
      assert.is(await upload(service, job, `${header}\nnobody,,,1\n`), 200);
      const key = objectKeys.request(service.tenantId, job.id);
      const sealing = await service.composition.objects.seal(key, { mostBytes: 1_000 });
      assert.equal(sealing, { outcome: 'sealed', object: { bytes: header.length + 12 } });
      assert.is(await upload(service, job, 'third'), 409);
    } finally {
      await service.close();
    }
  },
);

uploads('given a job that has ended, then its URL takes nothing any more', async ({ service }) => {
  const job = await createJob(service);
  assert.is(await upload(service, job, `${header}\n`), 200);
  await ended(service, job.id);
  const { objects } = service.composition;
  const key = objectKeys.request(service.tenantId, job.id);
  // What was sealed is removed when it is not needed any more.
  await until(async () => (await objects.head(key)) === undefined);
  assert.is(await upload(service, job, `${header}\n`), 409);
  assert.is(await objects.head(key), undefined);
});

uploads('given a file that nobody told of, then it is found', async ({ service }) => {
  const { composition, tenantId } = service;
  const job = await createJob(service);
  const content = Buffer.from(`${header}\n`);
  await composition.objects.write(objectKeys.request(tenantId, job.id), inParts(content), content.length);
  await lookForUploads(composition, createWaitingJobs(composition.pools.owner)).run();
  assert.is((await ended(service, job.id)).status, 'completed');
});

uploads(
  'given an hour without a file, then the job is gone at once, its URL too, and then for good',
  async ({ service }) => {
    const { composition } = service;
    const job = await createJob(service);
    const later = { now: () => new Date(Date.now() + 3_600_000) };
    const waiting = createWaitingJobs(composition.pools.owner);
    await lookForUploads(composition, waiting).run();
    assert.is((await getJob(service, job.id)).status, 'pending');
    await lookForUploads({ ...composition, clock: later }, waiting).run();
    const reply = await service.call('GET', `/account-updater/jobs/${job.id}`);
    assert.is(reply.status, 404);
    assert.is(await upload(service, job, header), 409);
    const { body } = await service.call<{ data: { id: string }[] }>('GET', '/account-updater/jobs?size=100');
    assert.not.ok(body.data.some(({ id }) => id === job.id));
  },
);

uploads(
  'given a service whose clock is an hour on, then no list, no read and no URL knows a job that waited',
  async () => {
    const service = await startVaultService({ environment: { HOLDFAST_CLOCK_OFFSET: '-61m' } });
    const { composition } = service;
    try {
      const job = await createJob(service);
      const clock = composition.clock;
      const now = clock.now.bind(clock);
      clock.now = () => new Date(now().getTime() + 61 * 60_000);
      assert.is((await service.call('GET', `/account-updater/jobs/${job.id}`)).status, 404);
      const { body } = await service.call<{ data: object[] }>('GET', '/account-updater/jobs');
      assert.equal(body.data, []);
      assert.is(await upload(service, job, header), 403);
    } finally {
      await service.close();
    }
  },
);

uploads.run();
