/** One step of the schema. Steps are only ever added; a released step is never edited. */
export type Migration = { name: string; sql: string };
