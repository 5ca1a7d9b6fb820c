/** How often each helper was started, and how long its callers waited, in milliseconds. */
export type HelperCosts = Record<string, { count: number; milliseconds: number }>;

let costs: HelperCosts = {};

/** Counts a start of a helper, for the profile of a run. */
export async function counted<Result>(helper: string, start: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  try {
    return await start();
  } finally {
    const cost = (costs[helper] ??= { count: 0, milliseconds: 0 });
    cost.count += 1;
    cost.milliseconds += performance.now() - began;
  }
}

/** What was counted since the last call. */
export function takeHelperCosts(): HelperCosts {
  const taken = costs;
  costs = {};
  return taken;
}
