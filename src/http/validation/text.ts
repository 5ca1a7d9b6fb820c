import { addFault, displayed, memberPath } from '#http/validation/faults.ts';
import type { Faults } from '#src/errors.ts';

type Check = {
  ofLeaf: (value: unknown) => string | undefined;
  ofName: (name: string) => string | undefined;
};

/**
 * Adds a fault for each string, name and number in a JSON value that cannot be stored: Postgres refuses NUL,
 * UTF-8 has no lone surrogates, JSON no infinity (which is what `1e999` becomes) and no NaN (which stands for a
 * number that a double would change).
 * The value must not nest deeply: this recurses.
 */
export function textFaults(value: unknown, path: string, faults: Faults): void {
  addFaults(storable, value, path, faults);
}

/** Like {@link textFaults}, of numbers alone. */
export function numberFaults(value: unknown, path: string, faults: Faults): void {
  addFaults(exact, value, path, faults);
}

function addFaults(check: Check, value: unknown, path: string, faults: Faults): void {
  if (typeof value !== 'object' || value === null) {
    const fault = check.ofLeaf(value);
    if (fault !== undefined) addFault(faults, displayed(path), fault);
    return;
  }
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      addFaults(check, item, memberPath(path, index), faults);
    });
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const fault = check.ofName(name);
    if (fault !== undefined) addFault(faults, displayed(path), `has a property whose name ${fault}`);
    addFaults(check, member, memberPath(path, name), faults);
  }
}

/** What is wrong with a string, or undefined. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold a NUL character';
  return text.isWellFormed() ? undefined : 'must not hold half of a surrogate pair';
}

function numberFault(value: unknown): string | undefined {
  if (typeof value !== 'number' || Number.isFinite(value)) return undefined;
  return Number.isNaN(value)
    ? 'must be a number that a double carries exactly: send it as a string'
    : 'must be a number within the range of a double';
}

const storable: Check = {
  ofLeaf: (value) => (typeof value === 'string' ? textFault(value) : numberFault(value)),
  ofName: textFault,
};
const exact: Check = { ofLeaf: numberFault, ofName: () => undefined };
