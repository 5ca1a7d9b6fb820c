import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { checkBackup } from '#infra/backup/checkBackup.ts';
import { readManifest } from '#infra/backup/manifest.ts';
import type { BackupContents } from '#infra/backup/manifest.ts';
import { requireSeal } from '#infra/backup/seal.ts';
import { fileSystemReason } from '#infra/files/fileSystemReason.ts';
import { errno } from '#src/errno.ts';
import { ifThere } from '#infra/storage/files/places.ts';
import { openRootKey } from '#infra/vault/keyProviders/openKeyProvider.ts';
import { readConfig } from '#src/config.ts';
import type { Config } from '#src/config.ts';
import { megabytes, OperatorError, print } from '#src/cli/print.ts';
import { restoreInto, trustedContents } from '#src/cli/restore.ts';
import { orSentence, withComposition } from '#src/cli/withComposition.ts';
import { verifyAll } from '#src/cli/verifyAll.ts';
import { rootKeySource } from '#src/main/compose.ts';
import type { KeyProvider } from '#ports/keyProvider.ts';

type Options = { quick?: boolean; scratch: string };

/** `holdfast verify [backup]`: of the service, or of a backup. */
export const verifyCommand = (): Command =>
  new Command('verify')
    .description(
      'prove that log, vault and audit log are whole and can be decrypted: of the service, or of a backup, ' +
        'which is restored into a temporary directory for that; exit code 1 when anything is wrong',
    )
    .argument('[backup]', 'the directory of a backup')
    .option('--quick', 'of a backup: only whether its files are as they were written, and no others')
    .option('--scratch <directory>', 'where a backup is restored; it needs as much room', tmpdir())
    .action((backup: string | undefined, options: Options) =>
      backup === undefined ? withComposition(verifyAll) : orSentence(() => verifyBackup(backup, options)),
    );

async function verifyBackup(backup: string, { quick, scratch }: Options): Promise<void> {
  const config = readConfig(process.env);
  if (quick === true) {
    await verifyQuickly(config, backup);
    return;
  }
  const contents = await trustedContents(config, backup);
  await checkFiles(backup, contents);
  await rehearse(config, backup, contents, scratch);
}

/** The root key need not be where backups are kept; where it is, the manifest is held against it first. */
async function verifyQuickly(config: Config, backup: string): Promise<void> {
  const manifest = await readManifest(backup);
  const rootKey = await rootKeyIfHere(config);
  if (rootKey !== undefined) await requireSeal(manifest, rootKey);
  await checkFiles(backup, manifest.contents);
  if (rootKey !== undefined) return;
  print.line(
    'whether the manifest was changed is not known: its signature needs the root key, which is not here',
  );
}

async function rootKeyIfHere(config: Config): Promise<KeyProvider | undefined> {
  const source = rootKeySource(config);
  const isHere = !('file' in source) || (await ifThere(stat(source.file))) !== undefined;
  return isHere ? openRootKey(source) : undefined;
}

async function checkFiles(backup: string, contents: BackupContents): Promise<void> {
  const { files, bytes } = await checkBackup(backup, contents, (read) => {
    print.progress(megabytes(read));
  });
  print.progressEnd();
  print.line(`backup of ${contents.made_at}: ${files} files, ${megabytes(bytes)}, as they were written`);
}

async function directoryIn(scratch: string): Promise<string> {
  try {
    return await mkdtemp(join(scratch, 'holdfast-verify-'));
  } catch (error) {
    const why = errno(error) === 'ENOENT' ? 'there is none' : (fileSystemReason(error) ?? 'it is refused');
    throw new OperatorError(`nothing can be restored into the directory ${scratch}: ${why}`, {
      cause: error,
    });
  }
}

/** What can be restored, read and decrypted is a backup. The root key stays in memory. */
async function rehearse(
  config: Config,
  backup: string,
  contents: BackupContents,
  scratch: string,
): Promise<void> {
  const source = rootKeySource(config);
  const rootKey = 'file' in source ? await readFile(source.file, 'utf8') : source.value;
  const dataDirectory = await directoryIn(scratch);
  const settings = { ...config, dataDirectory, rootKey, databaseUrl: undefined, auditAnchors: undefined };
  try {
    await restoreInto(settings, backup, contents, verifyAll);
  } finally {
    await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5 });
  }
}
