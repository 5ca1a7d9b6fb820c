import { ExpressionError } from '../error.ts';
import { parseJsonPath } from '../jsonpath/parse.ts';
import { select } from '../jsonpath/select.ts';
import { textArgument } from './arguments.ts';
import type { Filter } from './filter.ts';

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
