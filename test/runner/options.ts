import { parseArgs } from 'node:util';
import { levels } from '#test/runner/files.ts';
import type { Level } from '#test/runner/files.ts';

export type Options = {
  levels: readonly Level[];
  /** Parts of paths; none: all files. */
  words: readonly string[];
  /** Types, lint, format and boundaries run beside the tests. */
  checks: boolean;
  /** Nothing more is started after the first failure. */
  bail: boolean;
  profile: boolean;
  /** Files that failed are run once more, each alone, and named: for machines that others use, too. */
  again: boolean;
  watch: boolean;
};

const usage = `npm test [-- words] [--level unit,int,e2e,long] [--bail] [--again] [--profile] [--watch] [--no-checks]`;

/** Reads the command line. @throws for what is not an option, with the usage */
export function readOptions(words: readonly string[]): Options {
  const { values, positionals } = parse(words);
  const wanted = values.level.split(',');
  const unknown = wanted.filter((level) => !levels.some((known) => known === level));
  if (unknown.length > 0) {
    throw new Error(`--level must name ${levels.join(', ')}, not ${unknown.join(', ')}`);
  }
  return { ...values, levels: levels.filter((level) => wanted.includes(level)), words: positionals };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      allowNegative: true,
      options: {
        level: { type: 'string', default: 'unit,int,e2e' },
        checks: { type: 'boolean', default: true },
        bail: { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
        again: { type: 'boolean', default: false },
        watch: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${usage}`, { cause: error });
  }
}
