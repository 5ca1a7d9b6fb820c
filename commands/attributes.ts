import { isPast } from '#src/expiry.ts';
import { containerFault, normalizeContainer } from '#domain/container.ts';
import { parseExpiry } from '#domain/token/expiry.ts';
import type { Faults } from '#src/errors.ts';
import type { Clock } from '#ports/clock.ts';

/** Collects what is wrong with a request, by path. */
export class FaultList {
  readonly faults: Faults = {};

  add(path: string, message: string): void {
    const before = Object.hasOwn(this.faults, path) ? this.faults[path] : undefined;
    const value = [...(before ?? []), message];
    // A path may be a name that every object has.
    Object.defineProperty(this.faults, path, { value, configurable: true, enumerable: true, writable: true });
  }

  /** Adds what a check found, if it found anything. */
  addIfAny(path: string, message: string | undefined): void {
    if (message !== undefined) this.add(path, message);
  }

  get any(): boolean {
    return Object.keys(this.faults).length > 0;
  }
}

/** Normalised containers, without repetitions; the default when none are given. */
export function readContainers(
  given: readonly string[] | null | undefined,
  defaultContainer: string,
  path: string,
  faults: FaultList,
): string[] {
  if (given === null || given === undefined || given.length === 0) return [defaultContainer];
  const containers = given.map(normalizeContainer);
  containers.forEach((container, index) => {
    const fault = containerFault(container);
    if (fault !== undefined) faults.add(`${path}[${index}]`, fault);
  });
  return [...new Set(containers)];
}

/** An expiration time as it is kept, or undefined when there is none. spec: Token expiration */
export function readExpiry(
  given: string | null | undefined,
  clock: Clock,
  path: string,
  faults: FaultList,
): string | undefined {
  if (given === null || given === undefined) return undefined;
  const expiry = parseExpiry(given);
  if (expiry === undefined) {
    faults.add(
      path,
      "must be a time such as '2030-08-26T19:23:57-07:00', '8/26/2030 7:23:57 PM -07:00' or '9/27/2030'",
    );
    return undefined;
  }
  if (isPast(expiry, clock)) {
    faults.add(path, 'must be in the future');
    return undefined;
  }
  return expiry;
}
