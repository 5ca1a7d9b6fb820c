import type { ClientConfig } from 'pg';
import { migrations } from '#infra/postgres/migrations/index.ts';
import { migrateJobs } from '#infra/jobs/migrate.ts';
import type { Migration } from '#infra/postgres/migrations/migration.ts';
import { prepareDatabase } from '#infra/postgres/prepareDatabase.ts';
import { schemaOf } from '#infra/postgres/schemaOf.ts';

export type MigrateOptions = {
  /** All that this version knows, when not given. */
  steps?: readonly Migration[];
  /** It is the restore that asks. */
  isRestoring?: boolean;
};

/**
 * Brings the schema to this version. Several processes may call it at once: one does the work.
 * @throws NewerSchema when the database holds a step that this version does not know
 * @throws UnfinishedRestore
 * @throws StartupError when the database lacks what no migration can give it
 */
export async function migrate(
  connection: ClientConfig,
  { steps = migrations, isRestoring = false }: MigrateOptions = {},
): Promise<void> {
  await prepareDatabase(connection);
  if (await isCurrent(connection, steps)) return migrateJobs(connection);
  // Loaded when it is needed: most starts find nothing to do, and one after a crash is waited for.
  const { applyMigrations } = await import('#infra/postgres/applyMigrations.ts');
  await applyMigrations(connection, steps, isRestoring);
}

async function isCurrent(connection: ClientConfig, steps: readonly Migration[]): Promise<boolean> {
  const { isRestoring, isElsewhere, applied } = await schemaOf(connection);
  if (isRestoring || isElsewhere || applied?.length !== steps.length) return false;
  return steps.every(({ name }) => applied.includes(name));
}
