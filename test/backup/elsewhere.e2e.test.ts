import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import pg from 'pg';
import { connectToDataDirectory } from '#infra/postgres/embedded/connect.ts';
import { bringRootKey, card, newGround, newToken } from '#test/backup/support/backups.ts';
import type { Ground } from '#test/backup/support/backups.ts';
import { emptyDatabases } from '#test/backup/support/databases.ts';
import type { EmptyDatabases } from '#test/backup/support/databases.ts';
import { program, runHoldfast, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { prepareDirectory } from '#test/support/preparedDirectory.ts';
import { silentLogger } from '#test/support/silentLogger.ts';
import { until } from '#test/support/until.ts';

type Context = { ground: Ground; databases: EmptyDatabases; service: ServiceProcess };

const elsewhere = suite<Context>('backups of a running service');

elsewhere.before(async (context) => {
  context.ground = await newGround();
  context.databases = await emptyDatabases();
  await prepareDirectory(context.ground.path('data'));
  context.service = await startService(context.ground.path('data'));
  assert.is((await newToken(context.service, card)).status, 201);
});
elsewhere.after(async ({ ground, databases, service }) => {
  await service.end();
  await databases.drop();
  await ground.remove();
});

elsewhere(
  'given an empty database on another server, when a backup is restored into it, then it is whole, and in use from then on',
  async ({ ground, databases }) => {
    assert.is((await ground.holdfast('data', 'backup', ground.path('copy'))).code, 0);
    await bringRootKey(ground, 'data', 'other');
    const environment = {
      HOLDFAST_DATA_DIR: ground.path('other'),
      DATABASE_URL: await databases.make(),
    };
    const restored = await runHoldfast(['restore', ground.path('copy')], environment);
    assert.is(restored.code, 0, restored.err);
    const verified = await runHoldfast(['verify'], environment);
    assert.is(verified.code, 0, verified.out + verified.err);
    assert.match(verified.out, /\n1 payloads decrypted: whole\n/);
    const again = await runHoldfast(['restore', ground.path('copy')], environment);
    assert.match(again.err, 'the database is in use by Holdfast already');
  },
);

elsewhere(
  'given a backup that is killed halfway, then nothing has its name, and the next one succeeds',
  async ({ ground }) => {
    const database = await connectToDataDirectory(ground.path('data'), silentLogger);
    const holder = new pg.Client(database.connection);
    await holder.connect();
    // The backup waits for this table for as long as it takes.
    await holder.query('begin; lock table work.subscriptions in access exclusive mode');
    const child = spawn(process.execPath, [program, 'backup', ground.path('killed')], {
      env: { PATH: process.env['PATH'], HOLDFAST_DATA_DIR: ground.path('data') },
    });
    const exited = once(child, 'exit');
    const unfinished = await until(async () => {
      const names = await readdir(ground.path(), { recursive: true });
      return names.find((name) => /killed\.unfinished-[^/]+\/tables\/vault\.payloads$/.test(name));
    });
    child.kill('SIGKILL');
    await exited;
    await holder.end();
    await database.close();
    assert.not.ok((await readdir(ground.path())).includes('killed'));
    const directory = ground.path(unfinished.split('/')[0] ?? '');
    const unverified = await ground.holdfast('data', 'verify', '--quick', directory);
    assert.match(unverified.err, 'is no backup, or not a whole one');
    assert.is((await ground.holdfast('data', 'backup', ground.path('killed'))).code, 0);
    assert.is((await ground.holdfast('data', 'verify', '--quick', ground.path('killed'))).code, 0);
  },
);

elsewhere.run();
