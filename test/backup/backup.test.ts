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
import { request, startService } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';
import { until } from '#test/support/until.ts';

const backup = suite<{ ground: Ground }>('backup and restore');

backup.before.each(async (context) => {
  context.ground = await newGround();
});
backup.after.each(({ ground }) => ground.remove());

/** Writes from several clients until it is stopped; answers what was acknowledged so far. */
function load(service: ServiceProcess): { acknowledged: string[]; stop(): Promise<void> } {
  const acknowledged: string[] = [];
  let isRunning = true;
  const client = async (): Promise<void> => {
    for (let n = 0; isRunning; n++) {
      const made = await newToken(service, { type: 'token', data: { n } });
      if (made.status === 201) acknowledged.push(made.body.id);
    }
  };
  const clients = Promise.all(Array.from({ length: 8 }, client));
  return {
    acknowledged,
    stop: async () => {
      isRunning = false;
      await clients;
    },
  };
}

backup(
  'given a service under load, when it is backed up and restored, then every write of before is there, and all is whole',
  async ({ ground }) => {
    const service = await startService(ground.path('data'));
    const revealing = await revealingKey(service);
    const { id } = (await newToken(service, card)).body;
    const writers = load(service);
    await until(() => writers.acknowledged.length > 200);
    const before = [...writers.acknowledged];
    const made = await ground.holdfast('data', 'backup', ground.path('copy'));
    await writers.stop();
    await service.end();
    assert.is(made.code, 0, made.err);
    assert.ok(writers.acknowledged.length > before.length, 'nothing was written meanwhile');
    assert.equal((await readdir(ground.path())).sort(), ['copy', 'data']);

    await bringRootKey(ground, 'data', 'restored');
    const restored = await ground.holdfast('restored', 'restore', ground.path('copy'));
    assert.is(restored.code, 0, restored.err);
    const again = await startService(ground.path('restored'));
    try {
      for (const written of before) {
        assert.is((await readToken(again, again.credentials.private, written)).status, 200);
      }
      const shown = await readToken(again, revealing, id);
      assert.is(shown.body.data['number'], card.data.number);
      assert.not.ok('cvc' in shown.body.data, 'the security code came back');
      assert.is((await newToken(again, card)).status, 201);
      const verified = await ground.holdfast('restored', 'verify');
      assert.is(verified.code, 0, verified.out + verified.err);
      assert.not.match(verified.out, 'NOT');
      const logged = await ground.holdfast('restored', 'audit', 'export', '--format', 'jsonl');
      assert.match(logged.out, /"operation":"create","entity_type":"backup"/);
      assert.match(logged.out, /"operation":"restore","entity_type":"backup"/);
    } finally {
      await again.end();
    }
  },
);

backup(
  'given cards and keys, when all files of a backup are searched, then no secret, no root key and no security code is in it',
  async ({ ground }) => {
    const service = await startService(ground.path('data'));
    const key = await revealingKey(service);
    const { id } = (await newToken(service, card)).body;
    const headers = { 'BT-IDEMPOTENCY-KEY': 'shown' };
    const revealed = { ...card, deduplicate_token: true };
    await request(service, 'POST', '/tokens', { key: service.credentials.private, body: revealed, headers });
    assert.is((await readToken(service, key, id)).body.data['cvc'], '987');
    assert.is((await ground.holdfast('data', 'backup', ground.path('copy'))).code, 0);
    await service.end();
    const rootKey = (await readFile(ground.path('data', 'root.key'), 'utf8')).trim();
    const secrets = [card.data.number, rootKey, key, ...Object.values(service.credentials).slice(1)];
    const entries = await readdir(ground.path('copy'), { recursive: true, withFileTypes: true });
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

backup(
  'given answers that are kept for an hour because they may show secrets, when a backup is made, then it is without them',
  async ({ ground }) => {
    const service = await startService(ground.path('data'));
    const headers = { 'BT-IDEMPOTENCY-KEY': 'kept' };
    const reactor = { name: 'a', code: 'b', configuration: { key: 'hidden' } };
    const { private: key, management } = service.credentials;
    await request(service, 'POST', '/reactors', { key: management, body: reactor, headers });
    await request(service, 'POST', '/tokens', { key, body: { type: 'token', data: 1 }, headers });
    assert.is((await ground.holdfast('data', 'backup', ground.path('copy'))).code, 0);
    const kept = await administer(
      service.dataDirectory,
      `select id, expires_at <= created_at + interval '1 hour' as sensitive
       from vault.payloads where stream = 'idempotency' order by 2`,
    );
    await service.end();
    assert.equal(
      kept.map(({ sensitive }) => sensitive),
      [false, true],
    );
    const rows = await readFile(ground.path('copy', 'tables', 'vault.payloads'), 'utf8');
    assert.equal(
      kept.map(({ id }) => rows.includes(String(id))),
      [true, false],
    );
  },
);

backup(
  'given uploaded files, when they are backed up and restored, then they lie where they lay, without what was only begun',
  async ({ ground }) => {
    await (await startService(ground.path('data'))).end();
    for (const stage of ['sealed', 'open', 'unfinished']) {
      await mkdir(ground.path('data', 'objects', stage, 'jobs'), { recursive: true });
      await writeFile(ground.path('data', 'objects', stage, 'jobs', 'one.csv'), `${stage}\n`);
    }
    assert.is((await ground.holdfast('data', 'backup', ground.path('copy'))).code, 0);
    await bringRootKey(ground, 'data', 'restored');
    const restored = await ground.holdfast('restored', 'restore', ground.path('copy'));
    assert.is(restored.code, 0, restored.err);
    assert.equal((await readdir(ground.path('restored', 'objects'))).sort(), ['open', 'sealed']);
    const sealed = ground.path('restored', 'objects', 'sealed', 'jobs', 'one.csv');
    assert.is(await readFile(sealed, 'utf8'), 'sealed\n');
  },
);

backup.run();
