/** By name: where the tables of others go by `search_path` depends on what the user of the database is called. */
export const schemaName = 'public';

/** Says which migrations were applied. */
export const tableName = 'holdfast_migrations';

/** As statements name it. */
export const migrationsTable = `${schemaName}.${tableName}`;
