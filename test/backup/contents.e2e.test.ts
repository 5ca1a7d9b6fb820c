import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  administer,
  bringRootKey,
  card,
  newGround,
  newToken,
  readToken,
  revealingKey,
} from '#test/backup/support/backups.ts';
import type { Ground } from '#test/backup/support/backups.ts';
import { prepareDirectory } from '#test/support/preparedDirectory.ts';
import { request, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';

const contents = suite<{ ground: Ground; service: ServiceProcess }>('what is in a backup');

contents.before(async (context) => {
  context.ground = await newGround();
  await prepareDirectory(context.ground.path('data'));
  context.service = await startService(context.ground.path('data'));
});
contents.after(async ({ ground, service }) => {
  await service.end();
  await ground.remove();
});

contents(
  'given cards and keys, when all files of a backup are searched, then no secret, no root key and no security code is in it',
  async ({ ground, service }) => {
    const key = await revealingKey(service);
    const { id } = (await newToken(service, card)).body;
    const headers = { 'BT-IDEMPOTENCY-KEY': 'shown' };
    const revealed = { ...card, deduplicate_token: true };
    await request(service, 'POST', '/tokens', { key: service.credentials.private, body: revealed, headers });
    assert.is((await readToken(service, key, id)).body.data['cvc'], '987');
    assert.is((await ground.holdfast('data', 'backup', ground.path('first'))).code, 0);
    const rootKey = (await readFile(ground.path('data', 'root.key'), 'utf8')).trim();
    const secrets = [card.data.number, rootKey, key, ...Object.values(service.credentials).slice(1)];
    const entries = await readdir(ground.path('first'), { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const file of files) {
      const content = await readFile(file, 'utf8');
      for (const secret of secrets) {
        assert.not.ok(content.includes(secret), `${secret} is in ${file}`);
        assert.not.ok(content.includes(Buffer.from(secret).toString('hex')), `${secret} is in ${file}`);
      }
      assert.is((await stat(file)).mode & 0o077, 0, `others may read ${file}`);
    }
    assert.not.ok(files.some((file) => /short_lived_parts|epoch_keys|read_models/.test(file)));
  },
);

contents(
  'given answers that are kept for an hour because they may show secrets, when a backup is made, then it is without them',
  async ({ ground, service }) => {
    const headers = { 'BT-IDEMPOTENCY-KEY': 'kept' };
    const reactor = { name: 'a', code: 'b', configuration: { key: 'hidden' } };
    const { private: key, management } = service.credentials;
    await request(service, 'POST', '/reactors', { key: management, body: reactor, headers });
    await request(service, 'POST', '/tokens', { key, body: { type: 'token', data: 1 }, headers });
    assert.is((await ground.holdfast('data', 'backup', ground.path('second'))).code, 0);
    const kept = await administer(
      service.dataDirectory,
      `select id, expires_at <= created_at + interval '1 hour' as sensitive
       from vault.payloads where stream like 'idempotency.%' order by 2`,
    );
    assert.equal(
      kept.map(({ sensitive }) => sensitive),
      [false, true],
    );
    const rows = await readFile(ground.path('second', 'tables', 'vault.payloads'), 'utf8');
    assert.equal(
      kept.map(({ id }) => rows.includes(String(id))),
      [true, false],
    );
  },
);

contents(
  'given uploaded files, when they are backed up and restored, then they lie where they lay, without what was only begun',
  async ({ ground }) => {
    for (const stage of ['sealed', 'open', 'unfinished']) {
      await mkdir(ground.path('data', 'objects', stage, 'jobs'), { recursive: true });
      await writeFile(ground.path('data', 'objects', stage, 'jobs', 'one.csv'), `${stage}\n`);
    }
    assert.is((await ground.holdfast('data', 'backup', ground.path('third'))).code, 0);
    await bringRootKey(ground, 'data', 'restored');
    const restored = await ground.holdfast('restored', 'restore', ground.path('third'));
    assert.is(restored.code, 0, restored.err);
    assert.equal((await readdir(ground.path('restored', 'objects'))).sort(), ['open', 'sealed']);
    const sealed = ground.path('restored', 'objects', 'sealed', 'jobs', 'one.csv');
    assert.is(await readFile(sealed, 'utf8'), 'sealed\n');
  },
);

contents.run();
