import { readdir } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assertRefused, groundWithBackup } from '#test/backup/support/backups.ts';
import type { Ground } from '#test/backup/support/backups.ts';
import { cannotMount, mountSmallDisk } from '#test/chaos/support/smallDisk.ts';

const places = suite<{ ground: Ground }>('places that a backup cannot be written to, or restored into');
const onLinux = process.platform === 'linux' ? places : places.skip;
const asRoot = cannotMount() === undefined ? places : places.skip;

places.before(async (context) => {
  context.ground = await groundWithBackup();
});
places.after(({ ground }) => ground.remove());

onLinux(
  'given a place below a file, or in a file system of the kernel, when a backup is made, then it says why not',
  async ({ ground }) => {
    const below = await ground.holdfast('data', 'backup', ground.path('data/root.key/copy'));
    assertRefused(below, /the backup .*root\.key\/copy cannot be made: a part of the path is a file$/m);
    const kernel = await ground.holdfast('data', 'backup', '/proc/copy');
    assertRefused(
      kernel,
      /the backup \/proc\/copy cannot be made: its file system does not let it be made$/m,
    );
  },
);

asRoot(
  'given a disk that is full, when a backup is made, then it says so and leaves nothing',
  async ({ ground }) => {
    const disk = await mountSmallDisk(1);
    try {
      await disk.fill();
      const refused = await ground.holdfast('data', 'backup', `${disk.directory}/copy`);
      assertRefused(refused, /the backup .*\/copy cannot be made: no space left$/m);
      assert.equal(await readdir(disk.directory), ['filler']);
    } finally {
      await disk.unmount();
    }
  },
);

asRoot(
  'given too little room, when a backup is restored there for verification, then it says so and leaves nothing',
  async ({ ground }) => {
    const disk = await mountSmallDisk(20);
    try {
      const refused = await ground.holdfast(
        'data',
        'verify',
        ground.path('copy'),
        '--scratch',
        disk.directory,
      );
      assert.is(refused.code, 1);
      assert.match(refused.err, /^holdfast: [^\n]*no space left[^\n]*\n$/i);
      assert.equal(await readdir(disk.directory), []);
    } finally {
      await disk.unmount();
    }
  },
);

places(
  'given no such directory, when a backup is restored there for verification, then it says so',
  async ({ ground }) => {
    const none = await ground.holdfast(
      'data',
      'verify',
      ground.path('copy'),
      '--scratch',
      ground.path('none'),
    );
    assertRefused(none, /nothing can be restored into the directory .*none: there is none$/m);
  },
);

places.run();
