import knex from 'knex';
import type { ClientConfig } from 'pg';
import { migrateJobs } from '#infra/jobs/migrate.ts';
import { schemaName, tableName } from '#infra/postgres/migrationsTable.ts';
import { advisoryLock, NewerSchema, UnfinishedRestore } from '#infra/postgres/schemaOf.ts';
import type { Migration } from '#infra/postgres/migrations/migration.ts';

const silence = (): void => undefined;

/**
 * Applies what is missing, and then what the job queue's library lacks. Several processes may call it at once: one does
 * the work.
 * @throws NewerSchema @throws UnfinishedRestore unless it is the restore that asks
 */
export async function applyMigrations(
  connection: ClientConfig,
  steps: readonly Migration[],
  isRestoring: boolean,
): Promise<void> {
  const database = knex({
    client: 'pg',
    connection: connection as object,
    pool: { min: 1, max: 1 },
    searchPath: [schemaName],
    // What fails is thrown, too.
    log: { error: silence, warn: silence },
  });
  try {
    await database.raw('select pg_advisory_lock(?)', [advisoryLock]);
    if (!isRestoring) await refuseHalfRestored(database);
    await bringTogether(database);
    const [unknown] = await unknownSteps(database, steps);
    if (unknown !== undefined) throw new NewerSchema(unknown);
    await database.migrate.latest({
      tableName,
      schemaName,
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
  throw new UnfinishedRestore();
}

/**
 * An earlier version kept its tables where the search path of the database's user led: into a schema of his name, where
 * there was one. Where that is one of ours, it began a second time there, and got no further.
 */
async function bringTogether(database: knex.Knex): Promise<void> {
  const isThere = await database.schema.withSchema(schemaName).hasTable(tableName);
  for (const name of [tableName, `${tableName}_lock`]) {
    const { rows } = await database.raw<{ rows: { schema: string; isOfUser: boolean }[] }>(
      `select schemaname as schema, schemaname = current_user as "isOfUser" from pg_tables
       where tablename = ? and schemaname <> ? order by 2 desc, 1 limit 1`,
      [name, schemaName],
    );
    for (const { schema, isOfUser } of rows) {
      if (!isThere) await database.raw('alter table ??.?? set schema ??', [schema, name, schemaName]);
      else if (isOfUser) await database.schema.withSchema(schema).dropTable(name);
    }
  }
}

async function unknownSteps(database: knex.Knex, steps: readonly Migration[]): Promise<string[]> {
  if (!(await database.schema.withSchema(schemaName).hasTable(tableName))) return [];
  const known = new Set(steps.map((step) => step.name));
  const applied = await database(tableName)
    .withSchema(schemaName)
    .select<{ name: string }[]>('name')
    .orderBy('id');
  return applied.map((row) => row.name).filter((name) => !known.has(name));
}
