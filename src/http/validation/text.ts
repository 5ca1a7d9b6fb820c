import { addFault, displayed, memberPath } from '#http/validation/faults.ts';
import type { Faults } from '#src/errors.ts';

/**
 * Adds a fault for each string, name and number in a JSON value that cannot be stored: Postgres refuses NUL,
 * UTF-8 has no lone surrogates, JSON no infinity (which is what `1e999` becomes) and no NaN (which stands for a
 * number that a double would change).
 * The value must not nest deeply: this recurses.
 */
export function textFaults(value: unknown, path: string, faults: Faults): void {
  if (typeof value === 'string') {
    const fault = textFault(value);
    if (fault !== undefined) addFault(faults, displayed(path), fault);
    return;
  }
  if (typeof value === 'number') {
    if (Number.isNaN(value)) {
      addFault(
        faults,
        displayed(path),
        'must be a number that a double carries exactly: send it as a string',
      );
    } else if (!Number.isFinite(value)) {
      addFault(faults, displayed(path), 'must be a number within the range of a double');
    }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      textFaults(item, memberPath(path, index), faults);
    });
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    const fault = textFault(name);
    if (fault !== undefined) addFault(faults, displayed(path), `has a property whose name ${fault}`);
    textFaults(member, memberPath(path, name), faults);
  }
}

/** What is wrong with a string, or undefined. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not hold a NUL character';
  return text.isWellFormed() ? undefined : 'must not hold half of a surrogate pair';
}
