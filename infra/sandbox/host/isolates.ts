import { createSlot } from '#infra/sandbox/host/slot.ts';
import type { Slot } from '#infra/sandbox/host/slot.ts';
import type { Modules } from '#infra/sandbox/host/modules.ts';
import type { HostSettings } from '#infra/sandbox/settings.ts';

export type Isolates = {
  /** Makes one ahead of the first call. */
  prepare(): Promise<void>;
  /** One that has this program in it, or undefined. It is the taker's until it is given back. */
  takeLoaded(program: string, version: string): Slot | undefined;
  /** One that has seen no code of a tenant. */
  takeFresh(): Promise<Slot>;
  /** After a call; not for those that were disposed of. */
  giveBack(slot: Slot): void;
};

/** After so many contexts an isolate has gathered what only its end sets free. */
const contextsOfIsolate = 50;
/** Beyond this share of its heap an isolate does not serve again. */
const fullHeap = 0.6;

/** The isolates of a host: those that wait with a program in them, and one without. */
export function createIsolates(
  settings: HostSettings,
  modules: Modules,
  onCatastrophe: () => void,
): Isolates {
  /** Those that were used last stand last. */
  const idle = new Set<Slot>();
  let spare: Promise<Slot> | undefined;
  /** Those whose context was made anew. */
  const renewed: Slot[] = [];

  const make = (): Promise<Slot> => createSlot(settings, modules, onCatastrophe);
  const prepareSpare = (): void => {
    spare ??= make();
    spare.catch(() => {
      spare = undefined;
    });
  };
  const keep = (slot: Slot): void => {
    idle.add(slot);
    for (const oldest of idle) {
      if (idle.size <= settings.idleIsolates) break;
      idle.delete(oldest);
      oldest.dispose();
    }
  };
  const renew = async (slot: Slot): Promise<void> => {
    if (slot.contexts >= contextsOfIsolate || (await slot.heapShare()) > fullHeap) {
      slot.dispose();
      return;
    }
    await slot.renew();
    if (renewed.length < settings.idleIsolates) renewed.push(slot);
    else slot.dispose();
  };

  return {
    prepare: async () => {
      prepareSpare();
      await spare;
    },
    takeLoaded: (program, version) => {
      let found: Slot | undefined;
      for (const slot of idle) {
        if (slot.program?.id !== program) continue;
        if (slot.program.version === version) {
          found = slot;
        } else {
          // Nobody asks for a version again that was replaced.
          idle.delete(slot);
          slot.dispose();
        }
      }
      if (found !== undefined) idle.delete(found);
      return found;
    },
    takeFresh: async () => {
      const again = renewed.pop();
      if (again !== undefined) return again;
      const taken = spare ?? make();
      spare = undefined;
      return taken;
    },
    giveBack: (slot) => {
      prepareSpare();
      if (slot.calls < settings.contextCalls) {
        keep(slot);
        return;
      }
      renew(slot).catch(() => {
        slot.dispose();
      });
    },
  };
}
