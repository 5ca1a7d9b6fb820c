import { startBenchService } from '#bench/support/service.ts';
import type { BenchService } from '#bench/support/service.ts';
import { interleave, median } from '#bench/support/rounds.ts';
import type { Duration, Measured } from '#bench/support/rounds.ts';

const longPast = 10_000;
const shortPast = 10;
const changesEach = 100;

/** What a change of a token takes that was changed 10,000 times, against one that was changed 10 times. */
export async function measureLongStream({ rounds }: Duration): Promise<Measured> {
  const service = await startBenchService(1);
  try {
    const long = await newToken(service);
    for (let change = 0; change < longPast; change++) await changed(service, long, change);
    return {
      name: `PATCH /tokens/{id} after ${longPast.toLocaleString('en')} changes`,
      unit: 'ms',
      target: 2,
      atMost: true,
      rounds: await interleave(
        rounds,
        async () => {
          // The changes that are measured make its past longer: each round has a token of its own.
          const short = await newToken(service);
          for (let change = 0; change < shortPast; change++) await changed(service, short, change);
          return changesOf(service, short);
        },
        () => changesOf(service, long),
      ),
      notes: [`control: after ${shortPast} changes; medians of ${changesEach} changes, one after the other`],
    };
  } finally {
    await service.stop();
  }
}

async function changesOf(service: BenchService, id: string): Promise<number> {
  const times: number[] = [];
  for (let change = 0; change < changesEach; change++) {
    const from = performance.now();
    await changed(service, id, change);
    times.push(performance.now() - from);
  }
  return median(times);
}

async function newToken(service: BenchService): Promise<string> {
  const { id } = await request(service, 'POST', '/tokens', { type: 'token', data: 'plain' });
  return id;
}

const changed = (service: BenchService, id: string, count: number): Promise<unknown> =>
  request(service, 'PATCH', `/tokens/${id}`, { metadata: { count: String(count) } });

async function request(
  { url, privateKey }: BenchService,
  method: string,
  path: string,
  body: object,
): Promise<{ id: string }> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { 'BT-API-KEY': privateKey, 'Content-Type': type },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { id: string };
}
