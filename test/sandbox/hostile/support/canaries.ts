import { randomBytes } from 'node:crypto';

/** Texts that no answer and no log may hold: they lie where code that breaks out would find them. */
export type Canaries = {
  /** In the settings of another tenant's reactor. */
  configuration: string;
  all: readonly string[];
  /** The kinds of those that a text holds. */
  foundIn(text: string): string[];
};

const make = (kind: string): string => `canary-${kind}-${randomBytes(12).toString('hex')}`;

/** Puts them into the environment and the memory of this process, before it starts others. */
export function placeCanaries(): Canaries {
  const [environment, memory, configuration] = [make('environment'), make('memory'), make('configuration')];
  process.env['HOLDFAST_TEST_CANARY'] = environment;
  (globalThis as Record<string, unknown>)['heldForTests'] = { memory };
  const all = [environment, memory, configuration];
  return { configuration, all, foundIn: (text) => all.filter((canary) => text.includes(canary)) };
}
