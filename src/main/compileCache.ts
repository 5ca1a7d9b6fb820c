import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { markerOf } from '#infra/postgres/embedded/dataDirectory.ts';
import type { Config } from '#src/config.ts';

/**
 * What tells a process of ours where code lies that was compiled before: it starts sooner by it. Nothing where the
 * operator has said so to Node, nor in a directory that no service has taken for its data yet.
 */
export function compileCache({ dataDirectory }: Config): { NODE_COMPILE_CACHE?: string } {
  const isOurs = existsSync(markerOf(dataDirectory));
  if (!isOurs || process.env['NODE_COMPILE_CACHE'] !== undefined) return {};
  return { NODE_COMPILE_CACHE: join(dataDirectory, 'compiled') };
}
