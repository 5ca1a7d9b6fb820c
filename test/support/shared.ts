/** A thing that the files of one process share: made at the first call, kept until nobody uses it. */
type Shared<Thing> = {
  thing: Promise<Thing & { close(): Promise<void> }>;
  users: number;
  belongings: readonly string[];
};

const things = new Map<string, Shared<unknown>>();

/** So many things that nobody uses are kept, for the files that come next: each has dozens of connections. */
let kept = 0;

/** From now on what is shared stays for the next file, until `closeSharedServices`. */
export function keepSharedServices(most: number): void {
  kept = most;
}

/**
 * The thing of this name, made by `make` where there is none. `belongings` of it name what it has beside this
 * process: databases, directories, processes.
 */
export async function borrowShared<Thing extends { belongings: readonly string[]; close(): Promise<void> }>(
  name: string,
  make: () => Promise<Thing>,
): Promise<{ thing: Thing; giveBack(): Promise<void> }> {
  const found = things.get(name);
  const entry = found ?? { thing: make(), users: 0, belongings: [] };
  things.set(name, entry);
  entry.users += 1;
  const thing = (await entry.thing) as Thing;
  entry.belongings = thing.belongings;
  return {
    thing,
    giveBack: async () => {
      entry.users -= 1;
      // The last in its order is the one that was used last.
      things.delete(name);
      things.set(name, entry);
      await closeIdle();
    },
  };
}

async function closeIdle(): Promise<void> {
  const idle = [...things].filter(([, { users }]) => users === 0);
  for (const [name, { thing }] of idle.slice(0, Math.max(0, idle.length - kept))) {
    things.delete(name);
    await (await thing).close();
  }
}

/** Parts of the names of everything that belongs to shared things. */
export const sharedBelongings = (): string[] => [...things.values()].flatMap(({ belongings }) => belongings);

/** Ends all that is shared. */
export async function closeSharedServices(): Promise<void> {
  const open = [...things.values()];
  things.clear();
  for (const { thing } of open) await (await thing).close();
}
