import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createS3Storage } from '#infra/storage/s3/s3Storage.ts';
import { objectStorageContract } from '#test/storage/contract/objectStorage.ts';
import type { Harness } from '#test/storage/contract/objectStorage.ts';
import { textOf, upload } from '#test/storage/support/clients.ts';
import { startS3Server } from '#test/storage/support/s3Server.ts';
import type { S3Server } from '#test/storage/support/s3Server.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
const wrong = { ...credentials, secretAccessKey: 'another' };

async function start(used = credentials): Promise<Harness & { server: S3Server }> {
  let offset = 0;
  const now = (): Date => new Date(Date.now() + offset);
  const server = await startS3Server('vault', credentials, now);
  const { endpoint, close } = server;
  const clock = { now: () => new Date() };
  const storage = createS3Storage({ bucket: 'vault', region: 'eu-x', endpoint, credentials: used, clock });
  return {
    server,
    storage,
    now: clock.now,
    pass: (milliseconds) => {
      offset += milliseconds;
    },
    close,
  };
}

objectStorageContract('S3', () => start());

const s3 = suite('S3');
const inAnHour = (): Date => new Date(Date.now() + 3_600_000);

s3('given an upload that is too large, when it is sealed, then it is gone', async () => {
  const { storage, server, close } = await start();
  const url = await storage.uploadUrl('a/request.csv', { expiresAt: inAnHour(), mostBytes: 5 });
  assert.is((await upload(url, '123456')).status, 200);
  assert.equal(await storage.seal('a/request.csv', { mostBytes: 5 }), { outcome: 'too_large' });
  assert.is(server.objects.size, 0);
  await close();
});

s3('given an upload that is replaced while it is sealed, then what is sealed was measured', async () => {
  const { storage, server, close } = await start();
  server.put('open/a/request.csv', Buffer.from('short'));
  server.beforeCopy = () => {
    server.beforeCopy = undefined;
    server.put('open/a/request.csv', Buffer.from('longer'));
  };
  const sealed = await storage.seal('a/request.csv', { mostBytes: 10 });
  assert.equal(sealed, { outcome: 'sealed', object: { bytes: 6 } });
  assert.is(await textOf(await storage.read('a/request.csv')), 'longer');
  await close();
});

s3('given a sealed object, when its URL is used again, then it lies where nobody reads', async () => {
  const { storage, server, close } = await start();
  const url = await storage.uploadUrl('a/request.csv', { expiresAt: inAnHour(), mostBytes: 50 });
  await upload(url, 'sealed');
  await storage.seal('a/request.csv', { mostBytes: 50 });
  assert.is((await upload(url, 'later')).status, 200);
  assert.is(server.objects.get('sealed/a/request.csv')?.content.toString(), 'sealed');
  await storage.remove('a/request.csv');
  assert.is(server.objects.size, 0);
  await close();
});

s3(
  'given a URL for a bucket, when it is made, then the bucket is in the path, and the time limited',
  async () => {
    const { storage, server, close } = await start();
    const url = new URL(await storage.uploadUrl('a/b.csv', { expiresAt: inAnHour(), mostBytes: 5 }));
    assert.is(url.origin + url.pathname, `${server.endpoint}/vault/open/a/b.csv`);
    assert.ok(Number(url.searchParams.get('X-Amz-Expires')) <= 3600);
    assert.is(url.searchParams.get('X-Amz-Algorithm'), 'AWS4-HMAC-SHA256');
    await close();
  },
);

s3('given wrong credentials, when anything is done, then it fails, and does not look absent', async () => {
  const { storage, server, close } = await start(wrong);
  server.put('sealed/a/b.csv', Buffer.from('x'));
  const attempts = [
    () => storage.head('a/b.csv'),
    () => storage.read('a/b.csv'),
    () => storage.removeAll('a'),
  ];
  for (const attempt of attempts) assert.not.match((await rejectionOf(attempt())).name, /NotFound/);
  assert.is(server.objects.size, 1);
  await close();
});

s3.run();
