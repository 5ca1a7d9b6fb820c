import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

export const projectDirectory = fileURLToPath(new URL('../../', import.meta.url));

/** What the host itself is made of. Not the whole directory: by default the service keeps its keys and data in there. */
export const hostFiles: readonly string[] = [
  'infra/sandbox',
  'src/tenantCode/modules.ts',
  'packages/catalog.json',
  'packages/modules.pack',
  'node_modules',
  'package.json',
].map((path) => join(projectDirectory, path));

/** By which the loader of the addon tells C libraries apart. */
export const libraryMark = '/etc/alpine-release';
