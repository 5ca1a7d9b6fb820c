import { ExpressionError } from './error.ts';
import { filterTable } from './filters/table.ts';
import type { Apply } from './filters/filter.ts';
import type { Json } from './json.ts';
import { limits } from './limits.ts';
import { readPath, type Bindings } from './path.ts';
import type { Run } from './run.ts';
import type { FilterCall, Operand, Output, Path } from './syntax.ts';

export type Evaluate = (bindings: Bindings, run: Run) => Json;
/** Filters that were checked and are ready to run, one after the other. */
export type Pipeline = (value: Json, bindings: Bindings, run: Run) => Json;

export function compileOutput({ operand, filters }: Output): Evaluate {
  const read = compileOperand(operand);
  if (filters.length === 0) return read;
  const apply = compileFilters(filters);
  return (bindings, run) => apply(read(bindings), bindings, run);
}

function compileOperand(operand: Operand): (bindings: Bindings) => Json {
  if (operand.kind === 'literal') return () => operand.value;
  return (bindings) => readPath(bindings, operand.path);
}

/** @throws ExpressionError for an unknown filter and for arguments that can never be right */
export function compileFilters(calls: readonly FilterCall[]): Pipeline {
  const steps = calls.map(compileFilter);
  return (value, bindings, run) => {
    let result = value;
    for (const step of steps) result = step(result, bindings, run);
    return result;
  };
}

function compileFilter(call: FilterCall): Pipeline {
  const filter = filterTable.get(call.name);
  if (filter === undefined) throw new ExpressionError(`There is no filter "${call.name}"`, call.position);
  const [fewest, most] = filter.args;
  if (call.args.length < fewest || call.args.length > most) {
    throw new ExpressionError(`${call.name}: takes ${argumentCount(fewest, most)}`, call.position);
  }

  const bind = bindArguments(call, filter.bind);
  const { weight = 1, textLength = limits.valueLength } = filter;
  return (value, bindings, run) => {
    try {
      run.work.spend(20 + weight * length(value));
      checkLength(value, textLength);
      const result = bind(bindings, run)(value, run);
      checkLength(result, textLength);
      if (typeof result === 'number' && !Number.isFinite(result)) {
        throw new ExpressionError('gives no number');
      }
      return result;
    } catch (error) {
      throw failureOf(call, error);
    }
  };
}

/** Literal arguments are checked and prepared once, here; others when they are known. */
function bindArguments(
  call: FilterCall,
  bind: (args: readonly Json[]) => Apply,
): (bindings: Bindings, run: Run) => Apply {
  const literals = call.args.flatMap((arg) => (arg.kind === 'literal' ? [arg.value] : []));
  if (literals.length < call.args.length) {
    const reads = call.args.map(compileOperand);
    return (bindings, run) => {
      const args = reads.map((read) => read(bindings));
      run.work.spend(5 * args.reduce<number>((total, arg) => total + length(arg), 0));
      return bind(args);
    };
  }
  try {
    const apply = bind(literals);
    return () => apply;
  } catch (error) {
    throw failureOf(call, error);
  }
}

/** Everything that the operand and the arguments of an output may read. */
export function referencesOf({ operand, filters }: Output): Path[] {
  const operands = [operand, ...filters.flatMap((filter) => filter.args)];
  return operands.flatMap((each) => (each.kind === 'path' ? [each.path] : []));
}

const length = (value: Json): number =>
  typeof value === 'string' || Array.isArray(value) ? value.length : 0;

function checkLength(value: Json, most: number): void {
  if (typeof value === 'string' && value.length > most) throw new ExpressionError('the value is too large');
}

/** Other errors, from libraries or the engine, are not repeated: their words might hold data. */
function failureOf(call: FilterCall, error: unknown): ExpressionError {
  const failure =
    error instanceof ExpressionError ? error : new ExpressionError('cannot be applied to this value');
  return failure.within(call.name, call.position);
}

function argumentCount(fewest: number, most: number): string {
  if (most === 0) return 'no arguments';
  const count = fewest === most ? String(most) : `${String(fewest)} to ${String(most)}`;
  return `${count} argument${most === 1 ? '' : 's'}`;
}
