import type { Lent } from '#http/context.ts';
import type { Route } from '#http/route.ts';
import { invalid } from '#http/validation/faults.ts';
import { NotFound } from '#src/errors.ts';

/** Reactors that call each other must come to an end. */
export const deepest = 3;

/**
 * What code may ask for: what needs a key. The rest is the operator's, and of all tenants.
 * @throws NotFound @throws ValidationFailed
 */
export function requireLendable(route: Route, lent: Lent | undefined): void {
  if (lent === undefined) return;
  if (!route.authenticated) throw new NotFound('There is no such resource.');
  if (lent.depth > deepest) throw invalid('depth', `must be at most ${deepest} reactors inside each other`);
}
