import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Type from 'typebox';
import Value from 'typebox/value';
import { BackupRefused } from '#infra/backup/refused.ts';
import { errno } from '#src/errno.ts';

/** Raised when an older Holdfast could no longer read a backup. */
export const format = 1;
const fileName = 'manifest.json';
export const manifestIn = (directory: string): string => join(directory, fileName);

const hexDigest = Type.String({ pattern: '^[0-9a-f]{64}$' });
const count = Type.Integer({ minimum: 0 });
/** Names become paths and SQL: nothing else may be in them. */
const qualifiedName = Type.String({ pattern: '^[a-z_][a-z0-9_]*\\.[a-z_][a-z0-9_]*$' });
const columnName = Type.String({ pattern: '^[a-z_][a-z0-9_]*$' });

/** A file of the backup. */
const Sum = Type.Object({ file: Type.String(), bytes: count, sha256: hexDigest });
const TableFile = Type.Object({
  name: qualifiedName,
  columns: Type.Array(columnName, { minItems: 1 }),
  file: Type.String({ pattern: '^tables/[a-z0-9_.]+$' }),
  /** One a line, as COPY writes text. */
  rows: count,
  bytes: count,
  sha256: hexDigest,
});
/** Files that were copied as they are, listed with their sums in a file of the backup. */
const CopiedDirectory = Type.Object({
  name: Type.String({ pattern: '^[a-z]+$' }),
  files: count,
  listing: Sum,
});

const Contents = Type.Object({
  format: Type.Literal(format),
  id: Type.String(),
  /** The moment that it shows, in ISO 8601. */
  made_at: Type.String(),
  environment: Type.String(),
  /** Names of the root keys that the keys in it are wrapped under. */
  root_keys: Type.Array(Type.String()),
  /** The log's identity, and its position when the copy was taken; null: it was empty. */
  log: Type.Object({ id: Type.String(), head: Type.Union([Type.String(), Type.Null()]) }),
  /** Steps of the schema, in the order in which they were applied. */
  schema: Type.Array(Type.String()),
  tables: Type.Array(TableFile),
  sequences: Type.Array(
    Type.Object({ name: qualifiedName, value: Type.String({ pattern: '^[1-9][0-9]*$' }) }),
  ),
  directories: Type.Array(CopiedDirectory),
});

/** Proves that a holder of the root key wrote the manifest: an HMAC under a key that is wrapped beside it. */
const Seal = Type.Object({ root_key: Type.String(), wrapped_key: Type.String(), signature: hexDigest });
const Manifest = Type.Object({ contents: Contents, seal: Seal });

export type FileSum = Type.Static<typeof Sum>;
export type TableFile = Type.Static<typeof TableFile>;
export type CopiedDirectory = Type.Static<typeof CopiedDirectory>;
export type BackupContents = Type.Static<typeof Contents>;
export type BackupSeal = Type.Static<typeof Seal>;
export type Manifest = Type.Static<typeof Manifest>;

/** @throws BackupRefused when there is none, or it is damaged, or of a later format */
export async function readManifest(directory: string): Promise<Manifest> {
  const path = manifestIn(directory);
  const content = parsed(path, await textOf(directory, path));
  if (formatOf(content) > format) {
    throw new BackupRefused(`${path} is of format ${formatOf(content)}, and this version knows ${format}`);
  }
  if (!Value.Check(Manifest, content)) throw new BackupRefused(`${path} is damaged`);
  return content;
}

async function textOf(directory: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errno(error) !== 'ENOENT' && errno(error) !== 'ENOTDIR') throw error;
    throw new BackupRefused(`${directory} is no backup, or not a whole one: it has no ${fileName}`);
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BackupRefused(`${path} is damaged`);
  }
}

function formatOf(content: unknown): number {
  const outer = Type.Object({ contents: Type.Object({ format: Type.Integer() }) });
  return Value.Check(outer, content) ? content.contents.format : 0;
}
