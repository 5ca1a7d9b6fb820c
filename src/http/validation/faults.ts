import { ValidationFailed } from '#src/errors.ts';
import type { Faults } from '#src/errors.ts';

/** More faults than a reader takes in are not listed. */
export const faultLimit = 100;

/** Without a prototype: a path may well be `__proto__`. */
export const noFaults = (): Faults => Object.create(null);

export function addFault(faults: Faults, path: string, message: string): void {
  if (Object.keys(faults).length >= faultLimit) return;
  const messages = (faults[path] ??= []);
  if (!messages.includes(message)) messages.push(message);
}

export function refuseIfAny(faults: Faults): void {
  if (Object.keys(faults).length > 0) throw new ValidationFailed(faults);
}

/** A refusal for one fault. */
export const invalid = (path: string, message: string): ValidationFailed =>
  new ValidationFailed({ [path]: [message] });

/** How a member of what lies at a path is named: `data.number`, `rules[0]`. */
export function memberPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** The whole has no path, and a fault needs one. */
export const displayed = (path: string): string => (path === '' ? 'body' : path);
