import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { backUp } from '#infra/backup/backUp.ts';
import { ifThere } from '#infra/storage/files/places.ts';
import { auditHeads, storedObjects } from '#src/cli/backupDirectories.ts';
import { megabytes, OperatorError, print } from '#src/cli/print.ts';
import { record } from '#src/cli/record.ts';
import { withComposition } from '#src/cli/withComposition.ts';
import type { Composition } from '#src/main/compose.ts';

/** `holdfast backup <directory>`: works beside the running service. */
export const backupCommand = (): Command =>
  new Command('backup')
    .description('copy everything but the root key into a new directory, as of this moment')
    .argument('<directory>', 'which does not exist yet, or is empty')
    .action((directory: string) => withComposition((composition) => run(composition, directory)));

async function run(composition: Composition, directory: string): Promise<void> {
  const { config, connection, keyProvider } = composition;
  if (config.eventStoreDbUrl !== undefined) {
    throw new OperatorError(
      'the event log is in EventStoreDB: back it up, and the database, by their own tools (docs/backup.md says how)',
    );
  }
  await requireHeads(auditHeads(config).path);
  await record(composition, { operation: 'create', entityType: 'backup' });
  const settings = {
    connection,
    keyProvider,
    environment: config.environment,
    auditAnchors: auditHeads(config),
    objects: storedObjects(config),
    onProgress: (what: string, bytes: number) => {
      print.progress(`${megabytes(bytes)} ${what}`);
    },
  };
  const { made_at, tables, directories, root_keys } = await backUp(settings, directory);
  print.progressEnd();
  const sum = (pick: (table: { rows: number; bytes: number }) => number): number =>
    tables.reduce((total, table) => total + pick(table), 0);
  print.line(`made       ${made_at}`);
  print.line(`rows       ${sum(({ rows }) => rows)}`);
  print.line(`size       ${megabytes(sum(({ bytes }) => bytes))}`);
  for (const { name, files } of directories) print.line(`${name.padEnd(10)} ${files} files`);
  print.line(`root keys  ${root_keys.join(', ')}: not in the backup, and nothing is read without`);
}

/** Every start makes their directory: where it is missing, uploaded files are likely to be elsewhere, too. */
async function requireHeads(path: string): Promise<void> {
  if ((await ifThere(stat(path))) !== undefined) return;
  throw new OperatorError(
    `the heads of the audit log are not in ${resolve(path)}: set HOLDFAST_DATA_DIR and HOLDFAST_AUDIT_ANCHORS as for the service`,
  );
}
