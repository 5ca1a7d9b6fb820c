import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assertRefused, bringRootKey, groundWithBackup } from '#test/backup/support/backups.ts';
import type { Ground } from '#test/backup/support/backups.ts';
import { runHoldfast } from '#test/support/service.ts';

const bad = suite<{ ground: Ground }>('backups that cannot be made, restored or trusted');

bad.before(async (context) => {
  context.ground = await groundWithBackup();
});
bad.after(({ ground }) => ground.remove());

bad(
  'given a target that is there, when a backup is made, then it is refused and stays as it was',
  async ({ ground }) => {
    const before = await readFile(ground.path('copy', 'manifest.json'), 'utf8');
    assertRefused(await ground.holdfast('data', 'backup', ground.path('copy')), /copy is there already/);
    assert.is(await readFile(ground.path('copy', 'manifest.json'), 'utf8'), before);
    const file = ground.path('copy', 'manifest.json');
    assertRefused(await ground.holdfast('data', 'backup', file), /manifest.json is a file/);
  },
);

bad(
  'given a log in EventStoreDB, when a backup is made, then it says what to do instead',
  async ({ ground }) => {
    const environment = {
      HOLDFAST_DATA_DIR: ground.path('data'),
      EVENTSTOREDB_URL: 'esdb://127.0.0.1:1?tls=false',
    };
    const refused = await runHoldfast(['backup', ground.path('other')], environment);
    assertRefused(
      refused,
      /the event log is in EventStoreDB: back it up, and the database, by their own tools/,
    );
    const notRestored = await runHoldfast(['restore', ground.path('copy')], environment);
    assertRefused(notRestored, /is restored without EVENTSTOREDB_URL/);
  },
);

bad(
  'given a wrong root key, or none, when a backup is restored, then it says which one is needed',
  async ({ ground }) => {
    const none = await ground.holdfast('keyless', 'restore', ground.path('copy'));
    assertRefused(none, /the root key file .*keyless\/root.key is missing/);
    const environment = {
      HOLDFAST_DATA_DIR: ground.path('keyless'),
      HOLDFAST_ROOT_KEY: randomBytes(32).toString('base64'),
    };
    for (const command of ['restore', 'verify']) {
      const wrong = await runHoldfast([command, ground.path('copy')], environment);
      assertRefused(wrong, /made with root key [0-9a-f]{16}, and the root key given is [0-9a-f]{16}$/m);
    }
    const elsewhere = await runHoldfast(['restore', ground.path('copy')], {
      HOLDFAST_DATA_DIR: ground.path('keyless'),
      HOLDFAST_ENVIRONMENT: 'prod',
    });
    assertRefused(elsewhere, /the backup is of the environment dev/);
  },
);

bad(
  'given a target in use, when a backup is restored, then it is refused and stays as it was',
  async ({ ground }) => {
    const inUse = await ground.holdfast('data', 'restore', ground.path('copy'));
    assertRefused(inUse, /is not empty: it holds dev-credentials.json/);
    await rm(ground.path('data', 'dev-credentials.json'));
    const database = await ground.holdfast('data', 'restore', ground.path('copy'));
    assertRefused(database, /the database is in use by Holdfast already/);
    assert.is((await ground.holdfast('data', 'verify')).code, 0);
    await mkdir(ground.path('strange'));
    await writeFile(ground.path('strange', 'thesis.txt'), 'mine');
    await bringRootKey(ground, 'data', 'strange');
    assertRefused(
      await ground.holdfast('strange', 'restore', ground.path('copy')),
      /not empty: it holds thesis.txt/,
    );
  },
);

bad.run();
