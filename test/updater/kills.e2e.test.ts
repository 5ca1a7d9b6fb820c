import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { childrenOf } from '#test/support/childrenOf.ts';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { removeDataDirectory, request, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { header } from '#test/updater/support/files.ts';
import { here } from '#test/updater/support/service.ts';
import type { ShownJob } from '#test/updater/support/service.ts';

const kills = suite<{ directory: string }>('a service that is killed during a job');

kills.before(async (context) => {
  context.directory = await newPreparedDirectory();
});
kills.after(({ directory }) => removeDataDirectory(directory));

const settings = { HOLDFAST_UPDATER_PROCESSES: '2' };
/** Rows of each card, in all chunks: each is asked about once. */
const repeats = 16;

/** Five hundred tokens: of each five, one was replaced. */
async function createCards(service: ServiceProcess): Promise<string[]> {
  const numbers = ['4111111111111111', ...Array.from({ length: 4 }, () => '4711358892785746')];
  const card = (index: number) => ({
    type: 'card',
    data: { number: numbers[index % 5], expiration_month: 12, expiration_year: 2024 },
  });
  const body = Array.from({ length: 100 }, (_, index) => card(index));
  const key = service.credentials.private;
  const ids: string[] = [];
  for (let made = 0; made < 5; made++) {
    const reply = await request<{ id: string }[]>(service, 'POST', '/tokenize', { key, body });
    assert.is(reply.status, 200);
    ids.push(...reply.body.map(({ id }) => id));
  }
  return ids;
}

const get = async (service: ServiceProcess, id: string): Promise<ShownJob> => {
  const key = service.credentials.private;
  return (await request<ShownJob>(service, 'GET', `/account-updater/jobs/${id}`, { key })).body;
};

function killUpdaters(service: ServiceProcess): number {
  const updaters = childrenOf(service, 'updaterProcess.ts');
  for (const pid of updaters) process.kill(pid, 'SIGKILL');
  return updaters.length;
}

kills(
  'given workers and then the whole service killed on the way, then the result has every row, and no token was made twice',
  async ({ directory }) => {
    let service = await startService(directory, settings);
    try {
      const key = service.credentials.private;
      const cards = await createCards(service);
      const job = (await request<ShownJob>(service, 'POST', '/account-updater/jobs', { key })).body;
      const rows = Array.from({ length: repeats }, () => cards.map((id) => `${id},,,1\n`).join(''));
      const put = await fetch(here(service, job.upload_url), {
        method: 'PUT',
        body: `${header}\n${rows.join('')}`,
      });
      assert.is(put.status, 200);
      for (let kill = 0; kill < 3; kill++) {
        await until(async () => (await get(service, job.id)).rows !== undefined || kill > 0, 60_000);
        await until(() => killUpdaters(service) > 0, 60_000);
      }
      await service.end('SIGKILL');
      service = await startService(directory, settings);
      const end = await until(async () => {
        const shown = await get(service, job.id);
        return shown.status === 'completed' && shown;
      }, 120_000);
      const result = await (await fetch(here(service, end.download_url))).text();
      const lines = result.trimEnd().split('\n').slice(1);
      const replaced = cards.filter((_, index) => index % 5 === 0);
      assert.equal(
        lines.map((line) => line.split(',')[0]),
        Array.from({ length: repeats }, () => replaced).flat(),
      );
      const made = new Set(lines.map((line) => line.split(',')[3]));
      assert.is(made.size, replaced.length);
      const listed = await request<{ pagination: { total_items: number } }>(service, 'GET', '/tokens', {
        key,
      });
      assert.is(listed.body.pagination.total_items, cards.length + replaced.length);
    } finally {
      await service.end();
    }
  },
);

kills.run();
