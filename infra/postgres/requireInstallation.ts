import type pg from 'pg';
import { migrations } from '#infra/postgres/migrations/index.ts';
import { NewerSchema, schemaOf, UnfinishedRestore } from '#infra/postgres/schemaOf.ts';
import { StartupError } from '#src/startupError.ts';

/** There is nothing of Holdfast where a command was told to look for it. */
export class NoInstallation extends StartupError {
  override readonly name = 'NoInstallation';

  /** @param place as the end of "there is no Holdfast in", with the setting that names it */
  constructor(place: string) {
    super(`there is no Holdfast in ${place}: name that of the service, or make one with \`holdfast start\``);
  }
}

/** The database was written by an earlier version of Holdfast. */
export class PendingMigration extends StartupError {
  override readonly name = 'PendingMigration';
}

/**
 * Makes sure that a database has the schema of this version, and changes nothing. Waits for a start that is just
 * bringing it there.
 * @param place of the database, for {@link NoInstallation}
 * @throws NoInstallation @throws PendingMigration @throws NewerSchema @throws UnfinishedRestore
 */
export async function requireInstallation(connection: pg.ClientConfig, place: string): Promise<void> {
  const { isRestoring, isElsewhere, applied } = await schemaOf(connection);
  if (isRestoring) throw new UnfinishedRestore();
  if (applied === undefined && !isElsewhere) throw new NoInstallation(place);
  const known = migrations.map(({ name }) => name);
  const unknown = applied?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new NewerSchema(unknown);
  const pending = known.find((name) => applied?.includes(name) !== true);
  if (pending === undefined) return;
  throw new PendingMigration(
    `the database is of an earlier version of Holdfast (it lacks the migration ${pending}): use that version, or start this one, which brings it up to date`,
  );
}
