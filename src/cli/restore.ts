import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { readManifest } from '#infra/backup/manifest.ts';
import type { BackupContents } from '#infra/backup/manifest.ts';
import { restore } from '#infra/backup/restore.ts';
import { requireSeal } from '#infra/backup/seal.ts';
import { openRootKey } from '#infra/vault/keyProviders/openKeyProvider.ts';
import { readConfig } from '#src/config.ts';
import type { Config } from '#src/config.ts';
import { auditHeads, storedObjects } from '#src/cli/backupDirectories.ts';
import { megabytes, OperatorError, print } from '#src/cli/print.ts';
import { record } from '#src/cli/record.ts';
import { commandLogger, composed, orSentence } from '#src/cli/withComposition.ts';
import { rootKeySource } from '#src/main/compose.ts';
import type { Composition } from '#src/main/compose.ts';
import { borrowDatabase } from '#src/main/borrowedDatabase.ts';

/** `holdfast restore <backup>`: into the data directory, or the database, that the settings name. */
export const restoreCommand = (): Command =>
  new Command('restore')
    .description('fill an empty data directory, or an empty database, from a backup')
    .argument('<backup>', 'the directory of the backup')
    .action((backup: string) =>
      orSentence(async () => {
        const config = readConfig(process.env);
        const contents = await trustedContents(config, backup);
        await requireEmpty(config.dataDirectory);
        await restoreInto(config, backup, contents, (composition) =>
          record(composition, { operation: 'restore', entityType: 'backup' }),
        );
        print.line(`restored as of ${contents.made_at}; start the service, and its views are made anew`);
      }),
    );

/** What a backup holds, once it is known that the root key is the right one and the manifest as it was written. */
export async function trustedContents(config: Config, backup: string): Promise<BackupContents> {
  if (config.eventStoreDbUrl !== undefined) {
    throw new OperatorError('a backup holds its event log, and is restored without EVENTSTOREDB_URL');
  }
  const manifest = await readManifest(backup);
  const { environment } = manifest.contents;
  if (environment !== config.environment) {
    throw new OperatorError(
      `the backup is of the environment ${environment}: set HOLDFAST_ENVIRONMENT to that`,
    );
  }
  await requireSeal(manifest, await openRootKey(rootKeySource(config)));
  return manifest.contents;
}

/** Fills what the settings name, and runs something on it. */
export async function restoreInto(
  config: Config,
  backup: string,
  contents: BackupContents,
  run: (composition: Composition) => Promise<void>,
): Promise<void> {
  const logger = commandLogger(config);
  const database = await borrowDatabase(config, logger);
  try {
    const directories = [auditHeads(config), storedObjects(config)];
    await restore({
      backup,
      contents,
      connection: database.connection,
      directories: Object.fromEntries(directories.map(({ name, path }) => [name, path])),
      onProgress: (what, bytes) => {
        print.progress(`${megabytes(bytes)} ${what}`);
      },
    });
    print.progressEnd();
    await composed(config, database, logger, run);
  } finally {
    await database.close();
  }
}

/** The root key may be there, heads of the audit log that survived, and what a start or a restore that broke off left. */
const ours =
  /^(root\.key|audit|objects|postgres|postgres\.log|holdfast\.json|lock|owner\.json|compiled|postgresql-.*)$/;

/** Whether its database is empty, too, is seen later. */
async function requireEmpty(dataDirectory: string): Promise<void> {
  const names = await readdir(dataDirectory).catch(() => []);
  const foreign = names.find((name) => !ours.test(name));
  if (foreign === undefined) return;
  throw new OperatorError(
    `the directory ${resolve(dataDirectory)} is not empty: it holds ${foreign}; set HOLDFAST_DATA_DIR to an empty one`,
  );
}
