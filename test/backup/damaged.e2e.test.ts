import { appendFile, cp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkBackup } from '#infra/backup/checkBackup.ts';
import { readManifest } from '#infra/backup/manifest.ts';
import { BackupRefused } from '#infra/backup/refused.ts';
import { restore } from '#infra/backup/restore.ts';
import { requireSeal } from '#infra/backup/seal.ts';
import { migrate } from '#infra/postgres/migrate.ts';
import { UnfinishedRestore } from '#infra/postgres/schemaOf.ts';
import type { KeyProvider } from '#ports/keyProvider.ts';
import { newGround } from '#test/backup/support/backups.ts';
import type { Ground } from '#test/backup/support/backups.ts';
import { backUpNew, emptyDatabases } from '#test/backup/support/databases.ts';
import type { EmptyDatabases } from '#test/backup/support/databases.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';

type Context = { ground: Ground; databases: EmptyDatabases; keyProvider: KeyProvider };

const damaged = suite<Context>('damaged backups');

damaged.before(async (context) => {
  context.ground = await newGround();
  context.databases = await emptyDatabases();
  const { keyProvider } = await backUpNew(context.ground, await context.databases.make());
  context.keyProvider = keyProvider;
});
damaged.after(async ({ ground, databases }) => {
  await databases.drop();
  await ground.remove();
});

const events = 'tables/event_log.events';
const damages: [string, (copy: (name: string) => string) => Promise<unknown>, RegExp][] = [
  [
    'no manifest',
    (copy) => rm(copy('manifest.json')),
    /is no backup, or not a whole one: it has no manifest.json/,
  ],
  ['half a manifest', (copy) => truncate(copy('manifest.json'), 500), /manifest.json is damaged/],
  [
    'a manifest with other sums',
    async (copy) => {
      const text = await readFile(copy('manifest.json'), 'utf8');
      await writeFile(copy('manifest.json'), text.replace(/"rows": \d+/, '"rows": 999'));
    },
    /the manifest was changed after the backup was made/,
  ],
  [
    'a manifest that names another file',
    async (copy) => {
      const text = await readFile(copy('manifest.json'), 'utf8');
      await writeFile(copy('manifest.json'), text.replace('"tables/vault.payloads"', '"tables/../../x"'));
    },
    /manifest.json is damaged/,
  ],
  ['a missing table', (copy) => rm(copy(events)), /event_log.events is missing from the backup/],
  [
    'a shorter table',
    (copy) => truncate(copy(events), 10),
    /event_log.events was cut short: it has 10 of \d+ bytes/,
  ],
  ['a longer table', (copy) => appendFile(copy(events), '\n'), /event_log.events was changed/],
  [
    'a table with another letter',
    async (copy) => {
      const text = await readFile(copy(events), 'utf8');
      await writeFile(copy(events), text.replace('a.created', 'b.created'));
    },
    /event_log.events was changed: its SHA-256 is not the one in the manifest/,
  ],
  ['another head', (copy) => writeFile(copy('audit/some.head'), 'a h3ad'), /some.head was changed/],
  ['another list of heads', (copy) => appendFile(copy('audit.list'), '{}\n'), /audit.list was changed/],
];

for (const [what, damage, sentence] of damages) {
  damaged(
    `given ${what}, when it is verified and restored, then it is refused and nothing starts on it`,
    async ({ ground, databases, keyProvider }) => {
      const copy = ground.path(what);
      await cp(ground.path('copy'), copy, { recursive: true });
      await damage((file) => ground.path(what, file));
      const trusted = async () => {
        const manifest = await readManifest(copy);
        await requireSeal(manifest, keyProvider);
        return manifest.contents;
      };
      const refusal = await rejectionOf(trusted().then((contents) => checkBackup(copy, contents)));
      assert.instance(refusal, BackupRefused);
      assert.match(refusal.message, sentence);
      if (refusal.message.includes('manifest.json') || refusal.message.includes('the manifest was')) return;
      const connection = { connectionString: await databases.make() };
      const directories = { audit: ground.path(`${what} restored`) };
      const settings = { backup: copy, contents: await trusted(), connection, directories };
      const half = await rejectionOf(restore({ ...settings, onProgress: () => undefined }));
      assert.match(half.message, sentence);
      assert.instance(await rejectionOf(migrate(connection)), UnfinishedRestore);
    },
  );
}

damaged.run();
