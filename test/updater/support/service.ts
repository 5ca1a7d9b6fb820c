import * as assert from 'uvu/assert';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService, VaultServiceOptions } from '#test/support/vaultService.ts';
import { header } from '#test/updater/support/files.ts';

export type ShownJob = {
  id: string;
  status: string;
  upload_url?: string;
  download_url?: string;
  expires_at?: string;
  errors?: string[];
  rows?: number;
  processed?: number;
};

/** The service with its worker, looking for jobs often. */
export const startUpdaterService = (options: VaultServiceOptions = {}): Promise<VaultService> =>
  startVaultService({ ...options, invocations: { pollInterval: 50, sweepInterval: 100 } });

/** A signed URL where the service under test listens. */
export function here(service: { url: string }, url: string | undefined): string {
  if (url === undefined) throw new Error('there is no URL');
  const { pathname, search } = new URL(url);
  return `${service.url}${pathname}${search}`;
}

export async function createJob(service: VaultService, key?: string): Promise<ShownJob> {
  const reply = await service.call<ShownJob>(
    'POST',
    '/account-updater/jobs',
    undefined,
    key === undefined ? {} : { key },
  );
  assert.is(reply.status, 201);
  return reply.body;
}

export async function upload(
  service: VaultService,
  job: ShownJob,
  content: string | Uint8Array,
): Promise<number> {
  const body = Buffer.from(content as string);
  const response = await fetch(here(service, job.upload_url), { method: 'PUT', body });
  await response.text();
  return response.status;
}

export const getJob = async (service: VaultService, id: string): Promise<ShownJob> =>
  (await service.call<ShownJob>('GET', `/account-updater/jobs/${id}`)).body;

/** The job when it has ended. */
export const ended = (service: VaultService, id: string): Promise<ShownJob> =>
  until(async () => {
    const job = await getJob(service, id);
    return (job.status === 'completed' || job.status === 'failed') && job;
  }, 120_000);

export async function download(service: VaultService, job: ShownJob): Promise<string> {
  const response = await fetch(here(service, job.download_url));
  assert.is(response.status, 200);
  return response.text();
}

/** What comes out of a file of these rows; `errors` in place of a result. */
export async function resultOf(service: VaultService, rows: readonly string[]): Promise<string[]> {
  const job = await createJob(service);
  assert.is(await upload(service, job, [header, ...rows, ''].join('\n')), 200);
  const end = await ended(service, job.id);
  assert.is(end.status, 'completed');
  const [first, ...lines] = (await download(service, end)).split('\n');
  assert.is(
    first,
    'token,expiration_year,expiration_month,new_token,new_expiration_year,new_expiration_month,result_code',
  );
  assert.is(lines.pop(), '');
  return lines;
}

export type CardInput = {
  number: string;
  expiration_month?: number;
  expiration_year?: number;
  cvc?: string;
};

/** The id of a new card token. */
export async function createCard(
  service: VaultService,
  data: CardInput,
  attributes: object = {},
  key?: string,
): Promise<string> {
  const token = { type: 'card', data, ...attributes };
  const options = key === undefined ? {} : { key };
  const reply = await service.call<{ id: string }>('POST', '/tokens', token, options);
  assert.is(reply.status, 201);
  return reply.body.id;
}
