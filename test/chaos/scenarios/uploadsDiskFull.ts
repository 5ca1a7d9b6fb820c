import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '#test/chaos/support/stage.ts';
import { mountSmallDisk } from '#test/chaos/support/smallDisk.ts';
import { Verdict } from '#test/chaos/support/verdict.ts';
import { upload } from '#test/storage/support/clients.ts';
import { newPreparedDirectory } from '#test/support/preparedDirectory.ts';
import { removeDataDirectory, request, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';
import { header } from '#test/updater/support/files.ts';
import { here } from '#test/updater/support/service.ts';
import type { ShownJob } from '#test/updater/support/service.ts';

const megabytes = 64;
const rowsOfFile = 20_000;
const row = `${'nobody'.padEnd(36, 'x')},30,01,1\n`;
const file = `${header}\n${row.repeat(rowsOfFile)}`;
const clients = 4;
/** Of each client between two files, in milliseconds. */
const pause = 1_000;

/** In milliseconds. */
export type UploadsDiskFullResult = Outcome & {
  /** Uploads that were answered 503. */
  refused: number;
  /** Until an upload was acknowledged after there was room again. */
  recovery: number;
};

/** The disk that request files lie on is full for a while, while files come in and jobs are done. */
export async function runUploadsDiskFull({
  milliseconds,
}: {
  milliseconds: number;
}): Promise<UploadsDiskFullResult> {
  const began = performance.now();
  const directory = await newPreparedDirectory();
  const disk = await mountSmallDisk(megabytes);
  try {
    await symlink(disk.directory, join(directory, 'objects'));
    const service = await startService(directory);
    try {
      const verdict = new Verdict();
      const uploads = new Uploads(service, verdict);
      const ended = new AbortController();
      const load = Array.from({ length: clients }, () => uploads.keepOn(ended.signal));
      await until(() => uploads.acknowledged.length >= clients, 60_000);
      await disk.fill();
      await sleep(milliseconds);
      await disk.empty();
      const before = uploads.acknowledged.length;
      const room = performance.now();
      await until(() => uploads.acknowledged.length > before, 60_000);
      const recovery = performance.now() - room;
      ended.abort();
      await Promise.all(load);
      await uploads.verify(milliseconds);
      return {
        acknowledged: uploads.acknowledged.length,
        milliseconds: performance.now() - began,
        verdict,
        refused: uploads.refused,
        recovery,
      };
    } finally {
      await service.end();
    }
  } finally {
    await disk.unmount();
    await removeDataDirectory(directory);
  }
}

class Uploads {
  readonly #service: ServiceProcess;
  readonly #verdict: Verdict;
  /** Ids of jobs. */
  readonly acknowledged: string[] = [];
  refused = 0;

  constructor(service: ServiceProcess, verdict: Verdict) {
    this.#service = service;
    this.#verdict = verdict;
  }

  /** One job after the other; a file that is refused is sent again. */
  async keepOn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const job = (await this.#ask<ShownJob>('POST', '/account-updater/jobs')).body;
      while (!(await this.#upload(job)) && !signal.aborted) await sleep(100);
      // Files that nobody has done with yet must not fill the disk by themselves.
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Whatever was acknowledged is done, with all its rows. */
  async verify(outage: number): Promise<void> {
    for (const id of this.acknowledged) {
      const job = await until(
        async () => {
          const shown = await this.#ask<ShownJob>('GET', `/account-updater/jobs/${id}`);
          return shown.body.status !== 'processing' && shown.body;
        },
        120_000 + 2 * outage,
      );
      const lines = job.status === 'completed' ? await this.#linesOf(job) : 0;
      if (lines !== rowsOfFile) this.#verdict.lost.push(`job ${id} is ${job.status} with ${lines} rows`);
    }
  }

  async #upload(job: ShownJob): Promise<boolean> {
    const { status } = await upload(here(this.#service, job.upload_url), file);
    if (status === 200) this.acknowledged.push(job.id);
    else if (status === 503) this.refused++;
    else this.#verdict.wrong.push(`an upload was answered ${status}`);
    return status === 200;
  }

  async #linesOf(job: ShownJob): Promise<number> {
    const result = await (await fetch(here(this.#service, job.download_url))).text();
    return result.trimEnd().split('\n').length - 1;
  }

  #ask<Body>(method: string, path: string): ReturnType<typeof request<Body>> {
    return request<Body>(this.#service, method, path, { key: this.#service.credentials.private });
  }
}
