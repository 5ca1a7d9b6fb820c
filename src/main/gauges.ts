import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** Gauges whose values are looked up together, whenever metrics are asked for. */
export type Gauges<Name extends string> = {
  /** Forgets all values. */
  reset(): void;
  set(name: Name, labels: Readonly<Record<string, string>>, value: number): void;
};

/**
 * Registers gauges by name: their labels, and their help.
 * @param collect sets the values; what it throws leaves the gauges empty, so that old values are not taken for new
 */
export function createGauges<Name extends string>(
  registry: Registry,
  described: Readonly<Record<Name, readonly [labels: readonly string[], help: string]>>,
  collect: (gauges: Gauges<Name>) => Promise<void>,
): void {
  const all = new Map<Name, Gauge>();
  const gauges: Gauges<Name> = {
    reset: () => {
      for (const gauge of all.values()) gauge.reset();
    },
    set: (name, labels, value) => all.get(name)?.set(labels, value),
  };
  let looking: Promise<void> | undefined;
  // One look serves all of them: a registry asks each gauge by itself.
  const look = (): Promise<void> =>
    (looking ??= collect(gauges)
      .catch(() => {
        gauges.reset();
      })
      .finally(() => {
        looking = undefined;
      }));
  const entries = Object.entries(described) as [Name, readonly [readonly string[], string]][];
  for (const [name, [labelNames, help]] of entries) {
    all.set(
      name,
      new Gauge({ name, help, labelNames: [...labelNames], registers: [registry], collect: look }),
    );
  }
}
