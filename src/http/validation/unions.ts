import type { TLocalizedValidationError } from 'typebox/error';
import { valueAt } from '#http/validation/pointer.ts';

type Fault = TLocalizedValidationError;

/**
 * Errors inside the branches of a union say what each branch would have wanted, and contradict each other. They
 * are dropped for the union's own error, unless the value names its branch (an object that only one branch
 * takes by kind and tag): then that branch's errors are the ones that help, and the union's is dropped.
 */
export function withoutBranches(errors: readonly Fault[], value: unknown): Fault[] {
  return errors
    .filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf')
    .reduce<Fault[]>(
      (kept, union) => (kept.includes(union) ? settle(kept, union, value) : kept),
      [...errors],
    );
}

function settle(errors: Fault[], union: Fault, value: unknown): Fault[] {
  const branchOf = (error: Fault): string | undefined => branchIn(union, error);
  const branches = Map.groupBy(
    errors.filter((error) => branchOf(error) !== undefined),
    branchOf,
  );
  const named = [...branches.entries()].filter(([, found]) =>
    found.every((error) => !isMisfit(error, union)),
  );
  const [only] = named.length === 1 ? named : [];
  if (only === undefined || !isObject(valueAt(value, union.instancePath))) {
    return errors.filter((error) => branchOf(error) === undefined);
  }
  return errors.filter(
    (error) => error !== union && (branchOf(error) === undefined || branchOf(error) === only[0]),
  );
}

/** The number of the union's branch in which an error arose, if it arose in one. */
function branchIn(union: Fault, error: Fault): string | undefined {
  const prefix = `${union.schemaPath}/${union.keyword}/`;
  const below = `${error.instancePath}/`.startsWith(`${union.instancePath}/`);
  return below && error.schemaPath.startsWith(prefix)
    ? error.schemaPath.slice(prefix.length).split('/', 1)[0]
    : undefined;
}

/** Whether an error says that the value is of another kind than the branch, or carries another tag. */
const isMisfit = (error: Fault, union: Fault): boolean =>
  error.keyword === 'const' || (error.keyword === 'type' && error.instancePath === union.instancePath);

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
