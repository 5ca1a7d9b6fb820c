import { readdir } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  bringRootKey,
  card,
  newGround,
  newToken,
  readToken,
  revealingKey,
} from '#test/backup/support/backups.ts';
import type { Ground } from '#test/backup/support/backups.ts';
import { prepareDirectory } from '#test/support/preparedDirectory.ts';
import { startService } from '#test/support/service.ts';
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
    await prepareDirectory(ground.path('data'));
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
      const { private: key, tenant_id } = service.credentials;
      assert.match(
        again.said(),
        `There is a tenant 'dev' already (${tenant_id}), and its keys stay as they were`,
      );
      assert.not.match(again.said(), "A tenant 'dev' was made");
      const read = await Promise.all(before.map((written) => readToken(again, key, written)));
      assert.equal([...new Set(read.map(({ status }) => status))], [200]);
      const shown = await readToken(again, revealing, id);
      assert.is(shown.body.data['number'], card.data.number);
      assert.not.ok('cvc' in shown.body.data, 'the security code came back');
      assert.is((await newToken(again, card, key)).status, 201);
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

backup.run();
