import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { backUp } from '#infra/backup/backUp.ts';
import type { BackupContents } from '#infra/backup/manifest.ts';
import { migrate } from '#infra/postgres/migrate.ts';
import { migrations } from '#infra/postgres/migrations/index.ts';
import type { Migration } from '#infra/postgres/migrations/migration.ts';
import { openRootKey } from '#infra/vault/keyProviders/openKeyProvider.ts';
import type { KeyProvider } from '#ports/keyProvider.ts';
import type { Ground } from '#test/backup/support/backups.ts';
import { borrowTestServer } from '#test/support/testServer.ts';

/** Databases that hold nothing, by their URLs. */
export type EmptyDatabases = { make(): Promise<string>; drop(): Promise<void> };

export async function emptyDatabases(): Promise<EmptyDatabases> {
  const server = await borrowTestServer();
  const names: string[] = [];
  return {
    make: async () => {
      const name = `test_${randomBytes(6).toString('hex')}`;
      await query(server.url, `create database ${name}`);
      names.push(name);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    drop: async () => {
      for (const name of names) await query(server.url, `drop database ${name} with (force)`);
      await server.giveBack();
    },
  };
}

/** One statement on a connection of its own. */
export async function query<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Migrates an empty database, writes an event into it and backs it up to `copy`, all in this process. */
export async function backUpNew(
  { path }: Ground,
  url: string,
  steps: readonly Migration[] = migrations,
): Promise<{ contents: BackupContents; keyProvider: KeyProvider }> {
  await migrate({ connectionString: url }, { steps });
  await query(
    url,
    `select event_log.append(array['a-b'], array[-1]::bigint[], array[1], array[1],
       array[gen_random_uuid()], array['a.created'], '{}', '{}')`,
  );
  await mkdir(path('heads'));
  await writeFile(path('heads', 'some.head'), 'a head');
  const keyProvider = await openRootKey({ value: randomBytes(32).toString('base64') });
  const settings = {
    connection: { connectionString: url },
    keyProvider,
    environment: 'test',
    auditAnchors: { name: 'audit', path: path('heads'), includes: () => true },
    objects: { name: 'objects', path: path('nothing'), includes: () => true },
    onProgress: () => undefined,
  };
  return { contents: await backUp(settings, path('copy')), keyProvider };
}
