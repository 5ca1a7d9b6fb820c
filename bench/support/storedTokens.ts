import type { Load, LoadOrder } from '#bench/processes/load.ts';
import { runProcess } from '#bench/support/process.ts';
import type { BenchService } from '#bench/support/service.ts';

export const connections = 64;
const distinct = 2_000;

/** Stores cards, and answers the paths of 2,000 of them. */
export async function storedTokens({ url, privateKey }: BenchService): Promise<string[]> {
  const stored = await runProcess<Load>('load', {
    url,
    key: privateKey,
    until: { seconds: 3 },
    connections,
    what: { create: { firstCard: 900_000_000 } },
  } satisfies LoadOrder);
  const paths = stored.acknowledged.slice(0, distinct).map((id) => `/tokens/${id}`);
  if (paths.length < distinct) throw new Error('too few tokens to read');
  return paths;
}
