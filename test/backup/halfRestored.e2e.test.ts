import { cp, rm } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assertRefused, bringRootKey, groundWithBackup } from '#test/backup/support/backups.ts';
import type { Ground } from '#test/backup/support/backups.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';
import { NotStarted, startService } from '#test/support/service.ts';

const half = suite<{ ground: Ground }>('restores that broke off');

half.before(async (context) => {
  context.ground = await groundWithBackup();
});
half.after(({ ground }) => ground.remove());

half(
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

half.run();
