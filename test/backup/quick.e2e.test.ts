import { appendFile, cp, readFile, rm, writeFile } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assertRefused, groundWithBackup } from '#test/backup/support/backups.ts';
import type { Ground } from '#test/backup/support/backups.ts';

const quick = suite<{ ground: Ground }>('quick verification of a backup');

quick.before(async (context) => {
  context.ground = await groundWithBackup();
});
quick.after(({ ground }) => ground.remove());

quick('given a whole backup, then it is as it was written, also without the root key', async ({ ground }) => {
  const whole = await ground.holdfast('data', 'verify', '--quick', ground.path('copy'));
  assert.is(whole.code, 0, whole.err);
  assert.match(whole.out, /^backup of [^\n]* as they were written\n$/);
  const keyless = await ground.holdfast('keyless', 'verify', '--quick', ground.path('copy'));
  assert.is(keyless.code, 0, keyless.err);
  assert.match(keyless.out, /as they were written\nwhether the manifest was changed is not known: [^\n]*\n$/);
});

quick('given a manifest that was changed, where the root key is, then it is refused', async ({ ground }) => {
  await cp(ground.path('copy'), ground.path('changed'), { recursive: true });
  const manifest = ground.path('changed', 'manifest.json');
  const text = await readFile(manifest, 'utf8');
  await writeFile(manifest, text.replace(/"made_at": "\d{4}/, '"made_at": "2001'));
  const refused = await ground.holdfast('data', 'verify', '--quick', ground.path('changed'));
  assertRefused(refused, /the manifest was changed after the backup was made/);
});

quick('given a file that the backup did not write, then it is named', async ({ ground }) => {
  await cp(ground.path('copy'), ground.path('more'), { recursive: true });
  for (const file of ['audit/planted.head', 'tables/vault.extra', 'notes.txt']) {
    await appendFile(ground.path('more', file), 'x');
    const refused = await ground.holdfast('keyless', 'verify', '--quick', ground.path('more'));
    assertRefused(refused, new RegExp(`more/${file} is not in the manifest of the backup`));
    await rm(ground.path('more', file));
  }
});

quick.run();
