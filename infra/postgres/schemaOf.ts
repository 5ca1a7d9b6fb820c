import pg from 'pg';
import { migrationsTable, schemaName, tableName } from '#infra/postgres/migrationsTable.ts';

/** The database was written by a later version of Holdfast. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema';

  /** @param step that the database holds */
  constructor(step: string) {
    super(`the database holds the migration ${step}, which this version does not know`);
  }
}

/** A restore has begun to fill the database, and did not end. */
export class UnfinishedRestore extends Error {
  override readonly name = 'UnfinishedRestore';

  constructor() {
    super('a restore into this database did not end: run `holdfast restore` again');
  }
}

/** Held by whoever changes the schema. */
export const advisoryLock = 4_650_111;

export type Schema = {
  isRestoring: boolean;
  /** An earlier version kept the list of what is applied in another schema. */
  isElsewhere: boolean;
  /** Names of migrations; undefined: the list is not where it belongs. */
  applied: string[] | undefined;
};

/** What a database holds of ours. Waits for a start that is just bringing it up to date. */
export async function schemaOf(connection: pg.ClientConfig): Promise<Schema> {
  const client = new pg.Client({ ...connection, application_name: 'holdfast schema' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock_shared($1)', [advisoryLock]);
    const { rows } = await client.query<Omit<Schema, 'applied'> & { isHere: boolean }>(`
      select to_regclass('public.holdfast_restore') is not null as "isRestoring",
        to_regclass('${migrationsTable}') is not null as "isHere",
        exists (
          select from pg_tables where tablename = '${tableName}' and schemaname <> '${schemaName}'
        ) as "isElsewhere"`);
    const [row] = rows;
    if (row === undefined) throw new Error('the database does not say what it holds');
    const { isHere, isRestoring, isElsewhere } = row;
    return { isRestoring, isElsewhere, applied: isHere ? await appliedSteps(client) : undefined };
  } finally {
    await client.end();
  }
}

async function appliedSteps(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`select name from ${migrationsTable} order by id`);
  return rows.map(({ name }) => name);
}
