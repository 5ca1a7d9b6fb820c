import type { SourceDirectory } from '#infra/backup/copyDirectory.ts';
import type { Config } from '#src/config.ts';
import { auditAnchorsIn } from '#src/main/compose.ts';
import { objectsIn } from '#src/main/objectStorage.ts';

/** The heads of the audit log, one file a chain. */
export const auditHeads = (config: Config): SourceDirectory => ({
  name: 'audit',
  path: auditAnchorsIn(config),
  includes: (path) => path.endsWith('.head'),
});

/** Uploaded files, and results to download; not what an upload has only begun. */
export const storedObjects = (config: Config): SourceDirectory => ({
  name: 'objects',
  path: objectsIn(config),
  includes: (path) => !path.startsWith('unfinished'),
});
