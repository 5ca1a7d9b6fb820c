/** Megabytes that the service's processes hold: heap and external memory in use, and resident. */
export type MemorySample = { heap: number; resident: number };

const megabyte = 1_048_576;

/** As `/metrics` tells it for all processes of the service together. */
export async function sampleMemory(url: string): Promise<MemorySample> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const sum = (name: string): number => {
    const lines = text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'));
    return [...lines].reduce((total, [, value]) => total + Number(value), 0) / megabyte;
  };
  return {
    heap: sum('nodejs_heap_size_used_bytes') + sum('nodejs_external_memory_bytes'),
    resident: sum('process_resident_memory_bytes'),
  };
}

/**
 * By how much what is held grew, in megabytes, after the first half: collectors run when they like, so the least of
 * a stretch is what is really held.
 */
export function growthOf(samples: readonly MemorySample[], part: keyof MemorySample): number {
  const quarter = Math.max(1, Math.floor(samples.length / 4));
  const leastOf = (stretch: readonly MemorySample[]): number =>
    Math.min(...stretch.map((sample) => sample[part]));
  return leastOf(samples.slice(-quarter)) - leastOf(samples.slice(quarter, 2 * quarter));
}

/** Requests after which caches and heaps have the size that they keep. */
const warm = 100_000;

/** What memory in use may grow by in the second half of so many requests, in megabytes. */
export const allowedGrowth = (requests: number): number => (requests < warm ? 160 : 64);
