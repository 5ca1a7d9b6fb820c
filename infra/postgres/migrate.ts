import knex from 'knex';
import type { ClientConfig } from 'pg';
import { migrations } from '#infra/postgres/migrations/index.ts';
import { migrateJobs } from '#infra/jobs/migrate.ts';
import type { Migration } from '#infra/postgres/migrations/migration.ts';

/** The database was written by a later version of Holdfast. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';
}

/** A restore has begun to fill the database, and did not end. */
export class UnfinishedRestore extends Error {
  override readonly name = 'UnfinishedRestore';
}

const advisoryLock = 4_650_111;

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
 */
export async function migrate(
  connection: ClientConfig,
  { steps = migrations, isRestoring = false }: MigrateOptions = {},
): Promise<void> {
  const database = knex({ client: 'pg', connection: connection as object, pool: { min: 1, max: 1 } });
  try {
    await database.raw('select pg_advisory_lock(?)', [advisoryLock]);
    if (!isRestoring) await refuseHalfRestored(database);
    const unknown = await unknownSteps(database, steps);
    if (unknown.length > 0) {
      throw new NewerSchema(
        `the database holds the migration ${unknown[0]}, which this version does not know`,
      );
    }
    await database.migrate.latest({
      tableName: 'holdfast_migrations',
      disableMigrationsListValidation: true,
      migrationSource: {
        getMigrations: () => Promise.resolve([...steps]),
        getMigrationName: (step: Migration) => step.name,
        getMigration: (step: Migration) =>
          Promise.resolve({
            up: async (transaction: knex.Knex) => {
              await transaction.raw(step.sql.replaceAll('?', '\\?'));
            },
            down: () => Promise.reject(new Error('migrations only go forward')),
          }),
      },
    });
    await migrateJobs(connection);
  } finally {
    await database.destroy();
  }
}

async function refuseHalfRestored(database: knex.Knex): Promise<void> {
  if (!(await database.schema.withSchema('public').hasTable('holdfast_restore'))) return;
  throw new UnfinishedRestore('a restore into this database did not end: run `holdfast restore` again');
}

async function unknownSteps(database: knex.Knex, steps: readonly Migration[]): Promise<string[]> {
  if (!(await database.schema.hasTable('holdfast_migrations'))) return [];
  const known = new Set(steps.map((step) => step.name));
  const applied = await database('holdfast_migrations').select<{ name: string }[]>('name').orderBy('id');
  return applied.map((row) => row.name).filter((name) => !known.has(name));
}
