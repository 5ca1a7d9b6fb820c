import { Command } from 'commander';
import pg from 'pg';
import { preparationScript, prepareDatabase } from '#infra/postgres/prepareDatabase.ts';
import { readConfig } from '#src/config.ts';
import { OperatorError, print } from '#src/cli/print.ts';
import { orSentence } from '#src/cli/withComposition.ts';

/** `holdfast database …`: of a PostgreSQL that `DATABASE_URL` names. */
export function databaseCommand(): Command {
  const command = new Command('database').description('a PostgreSQL of your own (DATABASE_URL)');
  command
    .command('prepare')
    .description('make the roles that Holdfast needs, as a start does, and say what is missing')
    .option('--print', 'print what an administrator of the server runs instead, and connect to nothing')
    .action((options: { print?: boolean }) => orSentence(() => prepare(options.print === true)));
  return command;
}

async function prepare(onlyPrints: boolean): Promise<void> {
  const { databaseUrl } = readConfig(process.env);
  if (databaseUrl === undefined) {
    throw new OperatorError(
      'DATABASE_URL is not set: the embedded PostgreSQL is prepared by `holdfast start`',
    );
  }
  if (onlyPrints) {
    // The driver reads the URL, with the names that it puts in where none are given.
    const { user = '', database = '' } = new pg.Client({ connectionString: databaseUrl });
    print.line(preparationScript(user, database).trimEnd());
    return;
  }
  await prepareDatabase({ connectionString: databaseUrl });
  print.line('the database is ready for `holdfast start`');
}
