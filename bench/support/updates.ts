import { setTimeout as sleep } from 'node:timers/promises';
import { writeFile } from 'node:fs/promises';
import { cardNumbers } from '#bench/support/cards.ts';
import type { BenchService } from '#bench/support/service.ts';

/** The test card that has a new number, and the number it gets. Source: reference of test cards. */
export const updatedNumber = '4111111111111111';
export const newNumber = '4166676667666746';

const batch = 100;
const requestsAtOnce = 16;
/** Every so many cards, one has been updated. */
const updatedEvery = 5;

/** Stores cards, a fifth of them with news for the sandbox network, and answers their tokens in order. */
export async function storeUpdatable(
  service: BenchService,
  cards: number,
  firstCard: number,
): Promise<string[]> {
  const number = cardNumbers(firstCard);
  const tokens: string[] = [];
  const card = (_: unknown, index: number) => ({
    type: 'card',
    data: {
      number: index % updatedEvery === 0 ? updatedNumber : number(),
      expiration_month: 12,
      expiration_year: 2030,
    },
  });
  const post = async (): Promise<void> => {
    while (tokens.length < cards) {
      const at = tokens.length;
      // Taken before the answer comes, so that nobody else stores these.
      tokens.length = at + batch;
      const made = await ask<{ id: string }[]>(
        service,
        service.privateKey,
        'POST',
        '/tokenize',
        Array.from({ length: batch }, card),
      );
      made.forEach(({ id }, index) => {
        tokens[at + index] = id;
      });
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, post));
  return tokens;
}

export async function writeRequestFile(path: string, tokens: readonly string[]): Promise<number> {
  const rows = tokens.map((token) => `${token},,,bench-merchant-0001-of-this-account-with-a-longer-name\n`);
  const text = `token,expiration_year,expiration_month,merchant_id\n${rows.join('')}`;
  await writeFile(path, text);
  return Buffer.byteLength(text);
}

/** In rows. */
export type Progress = { processed: number };

type Job = Partial<Progress> & {
  id: string;
  status: string;
  upload_url?: string;
  download_url?: string;
  errors?: string[];
};

/** From the last byte of the upload until the job is completed, in seconds. @param watch is told on the way */
export async function runJob(
  service: BenchService,
  request: Uint8Array,
  watch?: (progress: Progress) => Promise<void>,
): Promise<{ seconds: number; result: string }> {
  const created = await ask<Job>(service, service.privateKey, 'POST', '/account-updater/jobs');
  const upload = await fetch(at(service, created.upload_url), { method: 'PUT', body: request });
  if (upload.status !== 200) throw new Error(`the upload was answered ${upload.status}`);
  const startedAt = performance.now();
  for (;;) {
    const job = await ask<Job>(service, service.privateKey, 'GET', `/account-updater/jobs/${created.id}`);
    if (job.status === 'failed') throw new Error(job.errors?.join(' '));
    if (job.status === 'completed') {
      const seconds = (performance.now() - startedAt) / 1_000;
      return { seconds, result: await (await fetch(at(service, job.download_url))).text() };
    }
    if (job.processed !== undefined) await watch?.({ processed: job.processed });
    await sleep(100);
  }
}

/** URLs name the port that was set, and here the system chose one. */
const at = ({ url }: BenchService, signed = ''): URL => {
  const { pathname, search } = new URL(signed);
  return new URL(pathname + search, url);
};

async function ask<Answer>(
  { url }: BenchService,
  key: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const reply = await fetch(`${url}${path}`, {
    method,
    headers: { 'BT-API-KEY': key, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${path} was answered ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as Answer;
}
