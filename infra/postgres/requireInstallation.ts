import pg from 'pg';
import { advisoryLock, NewerSchema, UnfinishedRestore } from '#infra/postgres/migrate.ts';
import { migrations } from '#infra/postgres/migrations/index.ts';
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

type Found = { is_restoring: boolean; is_elsewhere: boolean; applied: string[] | null };

/**
 * Makes sure that a database has the schema of this version, and changes nothing. Waits for a start that is just
 * bringing it there.
 * @param place of the database, for {@link NoInstallation}
 * @throws NoInstallation @throws PendingMigration @throws NewerSchema @throws UnfinishedRestore
 */
export async function requireInstallation(connection: pg.ClientConfig, place: string): Promise<void> {
  const { is_restoring, is_elsewhere, applied } = await look(connection);
  if (is_restoring) throw new UnfinishedRestore();
  if (applied === null && !is_elsewhere) throw new NoInstallation(place);
  const known = migrations.map(({ name }) => name);
  const unknown = applied?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new NewerSchema(unknown);
  const pending = known.find((name) => applied?.includes(name) !== true);
  if (pending === undefined) return;
  throw new PendingMigration(
    `the database is of an earlier version of Holdfast (it lacks the migration ${pending}): use that version, or start this one, which brings it up to date`,
  );
}

async function look(connection: pg.ClientConfig): Promise<Found> {
  const client = new pg.Client({ ...connection, application_name: 'holdfast command' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock_shared($1)', [advisoryLock]);
    const { rows } = await client.query<Omit<Found, 'applied'> & { is_here: boolean }>(`
      select to_regclass('public.holdfast_restore') is not null as is_restoring,
        to_regclass('public.holdfast_migrations') is not null as is_here,
        exists (select from pg_tables where tablename = 'holdfast_migrations') as is_elsewhere`);
    const [row] = rows;
    if (row === undefined) throw new Error('the database does not say what it holds');
    const applied = row.is_here ? await appliedSteps(client) : null;
    return { ...row, applied };
  } finally {
    await client.end();
  }
}

async function appliedSteps(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from public.holdfast_migrations order by id',
  );
  return rows.map(({ name }) => name);
}
