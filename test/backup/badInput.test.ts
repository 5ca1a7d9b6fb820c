import { appendFile, cp, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bringRootKey, card, newGround, newToken } from '#test/backup/support/backups.ts';
import type { Ground, Run } from '#test/backup/support/backups.ts';
import { NotStarted, runHoldfast, startService } from '#test/support/service.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';

const bad = suite<{ ground: Ground }>('backups that cannot be made, restored or trusted');

bad.before(async (context) => {
  context.ground = await newGround();
  const { ground } = context;
  const service = await startService(ground.path('data'));
  assert.is((await newToken(service, card)).status, 201);
  await service.end();
  const made = await ground.holdfast('data', 'backup', ground.path('copy'));
  assert.is(made.code, 0, made.err);
});
bad.after(({ ground }) => ground.remove());

function assertRefused({ code, out, err }: Run, sentence: RegExp): void {
  assert.is(code, 1, out);
  assert.match(err, sentence);
  assert.is(err.trimEnd().split('\n').length, 1, err);
}

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
    (copy) => truncate(copy(events), 100),
    /event_log.events was cut short: it has 100 of \d+ bytes/,
  ],
  ['a longer table', (copy) => appendFile(copy(events), '\n'), /event_log.events was changed/],
  [
    'a table with another letter',
    async (copy) => {
      const text = await readFile(copy(events), 'utf8');
      await writeFile(copy(events), text.replace('management', 'administra'));
    },
    /event_log.events was changed: its SHA-256 is not the one in the manifest/,
  ],
  ['another list of heads', (copy) => appendFile(copy('audit.list'), '{}\n'), /audit.list was changed/],
];

for (const [what, damage, sentence] of damages) {
  bad(
    `given ${what}, when it is verified and restored, then it is refused and nothing starts on it`,
    async ({ ground }) => {
      const name = `damaged ${what}`;
      const copy = ground.path(name);
      await cp(ground.path('copy'), copy, { recursive: true });
      await damage((file) => ground.path(name, file));
      assertRefused(await ground.holdfast('data', 'verify', copy), sentence);
      const target = `from ${name}`;
      await bringRootKey(ground, 'data', target);
      assertRefused(await ground.holdfast(target, 'restore', copy), sentence);
    },
  );
}

bad(
  'given a restore that broke off, when the service starts, then it refuses, and a second restore ends it',
  async ({ ground }) => {
    await bringRootKey(ground, 'data', 'half');
    const copy = ground.path('without payloads');
    await cp(ground.path('copy'), copy, { recursive: true });
    await rm(ground.path('without payloads', 'tables/vault.payloads'));
    assertRefused(await ground.holdfast('half', 'restore', copy), /vault.payloads is missing/);
    const refusal = await rejectionOf(startService(ground.path('half')));
    assert.instance(refusal, NotStarted);
    assert.match((refusal as NotStarted).said, 'a restore into this database did not end');
    const again = await ground.holdfast('half', 'restore', ground.path('copy'));
    assert.is(again.code, 0, again.err);
    const verified = await ground.holdfast('half', 'verify');
    assert.is(verified.code, 0, verified.out + verified.err);
    await (await startService(ground.path('half'))).end();
  },
);

bad.run();
