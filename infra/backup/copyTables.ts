import { join } from 'node:path';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { contentsOf, quotedColumns, quotedName } from '#infra/backup/contents.ts';
import type { TableContents } from '#infra/backup/contents.ts';
import { writeDurably } from '#infra/backup/durableFiles.ts';
import type { TableFile } from '#infra/backup/manifest.ts';

export type OnProgress = (what: string, bytes: number) => void;

/** Writes every table of the snapshot to a file of its own, as it comes from the server. */
export async function copyTables(
  client: pg.Client,
  directory: string,
  onProgress: OnProgress,
): Promise<TableFile[]> {
  const files: TableFile[] = [];
  let total = 0;
  for (const table of await contentsOf(client)) {
    const file = `tables/${table.name}`;
    const rows = client.query(copyTo(statementFor(table)));
    const { lines, bytes, sha256 } = await writeDurably(join(directory, file), rows, (count) => {
      total += count;
      onProgress(table.name, total);
    });
    files.push({ name: table.name, columns: table.columns, file, rows: lines, bytes, sha256 });
  }
  return files;
}

function statementFor({ name, columns, filter }: TableContents): string {
  const where = filter === undefined ? '' : ` where ${filter}`;
  return `copy (select ${quotedColumns(columns)} from ${quotedName(name)}${where}) to stdout`;
}
