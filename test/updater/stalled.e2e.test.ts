import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createJobQueue } from '#infra/jobs/queue.ts';
import { createWaitingJobs } from '#infra/postgres/waitingJobs.ts';
import type { CardBatchAnswer } from '#ports/cardNetworks.ts';
import { CardNetworksFailed } from '#ports/cardNetworks.ts';
import type { Job } from '#ports/jobs.ts';
import { beginUpdate } from '#src/jobs/beginUpdate.ts';
import { updateChunk } from '#src/jobs/updateChunk.ts';
import { resumeUpdates } from '#src/timers/accountUpdater.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { header } from '#test/updater/support/files.ts';
import { createCard, createJob, download, ended, upload } from '#test/updater/support/service.ts';

type Context = { service: VaultService; id: string };

const stalled = suite<Context>('jobs that networks hold up');
const settings = { concurrency: 1, concurrencyOfTenant: 1 };
const noQueue = { add: () => Promise.resolve() };

stalled.before(async (context) => {
  context.service = await startVaultService({ invocations: { updatesElsewhere: true } });
  const { service } = context;
  const card = { number: '4111111111111111', expiration_month: 1, expiration_year: 2030 };
  context.id = await createCard(service, card);
});
stalled.after(({ service }) => service.close());

/** A job whose file was read, and the subject of its only chunk. */
async function begun({ service, id }: Context) {
  const { composition, tenantId } = service;
  const job = await createJob(service);
  await upload(service, job, `${header}\n${id},,,1\n`);
  await beginUpdate(composition, settings).run({ tenantId, id: job.id });
  return { job, chunk: { tenantId, id: `${job.id}/0` } };
}

const answering = ({ composition }: VaultService, ask: () => Promise<CardBatchAnswer>) => ({
  ...composition,
  cardNetworks: { ask },
});

stalled(
  'given networks that take their time, then the chunk is queued for when they want to be asked',
  async (context) => {
    const { service } = context;
    const { job, chunk } = await begun(context);
    const added: Job[] = [];
    const queue = { add: (jobs: readonly Job[]) => Promise.resolve(void added.push(...jobs)) };
    const pending = answering(service, () => Promise.resolve({ status: 'pending', milliseconds: 5_000 }));
    await updateChunk(pending, { ...settings, queue }).run(chunk);
    assert.equal(
      added.map(({ task, id, delay }) => [task, id, delay]),
      [['update_chunk', chunk.id, 5_000]],
    );
    await updateChunk(service.composition, { ...settings, queue: noQueue }).run(chunk);
    assert.is((await ended(service, job.id)).status, 'completed');
  },
);

stalled('given networks that cannot be reached, then the chunk fails, and comes again', async (context) => {
  const { service } = context;
  const { chunk } = await begun(context);
  const away = answering(service, () => Promise.reject(new CardNetworksFailed('away', true)));
  const failure = await rejectionOf(updateChunk(away, { ...settings, queue: noQueue }).run(chunk));
  assert.instance(failure, CardNetworksFailed);
});

stalled(
  'given networks that refuse a batch, then its rows are undefined, and the job goes on',
  async (context) => {
    const { service } = context;
    const { job, chunk } = await begun(context);
    const refusing = answering(service, () => Promise.reject(new CardNetworksFailed('no', false)));
    await updateChunk(refusing, { ...settings, queue: noQueue }).run(chunk);
    const result = await download(service, await ended(service, job.id));
    assert.match(result, /,ERR_UNDEFINED\n$/);
  },
);

stalled(
  'given a job that has not moved for a day, then what is left of it is queued again',
  async (context) => {
    const { service } = context;
    const { composition } = service;
    const { chunk } = await begun(context);
    const added: Job[] = [];
    const queue = { add: (jobs: readonly Job[]) => Promise.resolve(void added.push(...jobs)) };
    const waiting = createWaitingJobs(composition.pools.owner);
    await resumeUpdates(composition, waiting, queue).run();
    assert.equal(added, []);
    const clock = { now: () => new Date(Date.now() + 24 * 3_600_000) };
    await resumeUpdates({ ...composition, clock }, waiting, queue).run();
    assert.ok(added.some(({ task, id }) => task === 'update_chunk' && id === chunk.id));
    await createJobQueue(composition.pools.owner).add(added);
  },
);

stalled.run();
