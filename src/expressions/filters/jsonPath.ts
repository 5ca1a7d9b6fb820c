import { ExpressionError } from '../error.ts';
import { parseJsonPath } from '../jsonpath/parse.ts';
import { select } from '../jsonpath/select.ts';
import type { FilterCall } from '../syntax.ts';
import { textArgument } from './arguments.ts';
import type { Filter } from './filter.ts';

/** Whether a filter names something in this one member of its value, and can name nothing else. */
export function goesInto({ name, args: [path] }: FilterCall, member: string): boolean {
  if (name !== 'json' || path?.kind !== 'literal') return false;
  const [first] = parseJsonPath(textArgument([path.value], 0)).segments;
  if (first === undefined || first.descends || first.selectors.length > 1) return false;
  return first.selectors.every((selector) => selector.kind === 'name' && selector.name === member);
}

/** `json: path`: the one value that a JSONPath names, null when it names none. */
export const json: Filter = {
  args: [1, 1],
  bind(args) {
    const query = parseJsonPath(textArgument(args, 0));
    return (value, run) => {
      if (value === null) return null;
      const [found, another] = select(query, value, run.work);
      if (another !== undefined) throw new ExpressionError('the path names several values');
      return found ?? null;
    };
  },
};
