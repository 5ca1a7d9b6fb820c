import type { Entry } from '#test/chaos/support/ledger.ts';
import type { World } from '#test/chaos/support/world.ts';

/** Something that clients do, and how one finds out afterwards whether it holds. */
export type Workload = {
  name: string;
  /** How often it is done, against the others. */
  weight: number;
  /** Does it once; writes down what it asks for before, and what was acknowledged after. */
  act(world: World): Promise<void>;
  /** Compares the service with what the ledger says. */
  verify(world: World, entries: readonly Entry[]): Promise<void>;
};
