import { randomBytes } from 'node:crypto';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { placesIn } from '#infra/storage/files/places.ts';
import { receive } from '#infra/storage/files/receive.ts';
import { objectStorageContract } from '#test/storage/contract/objectStorage.ts';
import { download, partsOf, textOf, upload } from '#test/storage/support/clients.ts';
import { startFileStorage } from '#test/storage/support/fileHarness.ts';
import type { FileHarness } from '#test/storage/support/fileHarness.ts';
import { until } from '#test/support/until.ts';

objectStorageContract('files', startFileStorage);

const files = suite<FileHarness>('file storage');
const key = 'tenant/job/request.csv';
const mebibyte = 1024 * 1024;
const urlFor = ({ storage, now }: FileHarness, mostBytes = 30 * mebibyte): Promise<string> =>
  storage.uploadUrl(key, { expiresAt: new Date(now().getTime() + 3_600_000), mostBytes });
const unfinished = async ({ directory }: FileHarness): Promise<string[]> =>
  readdir(join(directory, 'unfinished')).catch(() => []);

files.before.each(async (context) => {
  Object.assign(context, await startFileStorage());
});
files.after.each(({ close }) => close());

const block = randomBytes(mebibyte);
const blocks = (count: number): Iterable<Buffer> => Array.from({ length: count }, () => block);

files('given a limit, when just as much is uploaded, then it is kept', async (context) => {
  assert.is((await upload(await urlFor(context, 5), '12345')).status, 200);
  assert.equal(await context.storage.head(key), { bytes: 5 });
});

files(
  'given a limit, when more is announced or sent, then it is 413, and nothing is kept',
  async (context) => {
    assert.is((await upload(await urlFor(context, 5), '123456')).status, 413);
    assert.is((await upload(await urlFor(context), blocks(31))).status, 413);
    assert.is(await context.storage.head(key), undefined);
    assert.equal(await unfinished(context), []);
  },
);

files('given a large file, when it is uploaded in chunks, then memory stays flat', async (context) => {
  const size = 300;
  const url = await urlFor(context, size * mebibyte);
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().external)), 2);
  const before = process.memoryUsage().external;
  assert.is((await upload(url, blocks(size))).status, 200);
  clearInterval(watch);
  assert.equal(await context.storage.head(key), { bytes: size * mebibyte });
  // What came lately waits for the collector, which takes its time.
  assert.ok(most - before < (size / 2) * mebibyte, `${most - before} bytes`);
});

files('given a sealed object, when it is uploaded again, then it is 409, and nothing is kept', async (c) => {
  const url = await urlFor(c);
  await upload(url, 'first');
  await c.storage.seal(key, { mostBytes: 100 });
  const refused = await upload(url, 'second');
  assert.equal([refused.status, refused.body], [409, 'No file is awaited here any more.\n']);
  assert.is(await textOf(await c.storage.read(key)), 'first');
  assert.equal(await unfinished(c), []);
});

files('given an upload under way, when the object is sealed meanwhile, then it is refused', async (c) => {
  await upload(await urlFor(c), 'first');
  const places = placesIn(c.directory);
  async function* content(): AsyncGenerator<Uint8Array> {
    await c.storage.seal(key, { mostBytes: 100 });
    yield Buffer.from('second');
  }
  assert.is(await receive(places, key, content(), 100), undefined);
  assert.is(await textOf(await c.storage.read(key)), 'first');
  await c.storage.remove(key);
  assert.is(await c.storage.head(key), undefined);
});

files('given an upload, when it breaks off, then nothing of it is kept', async (context) => {
  const client = request(await urlFor(context), { method: 'PUT' });
  client.on('error', () => undefined);
  client.write(block);
  await until(async () => (await unfinished(context)).length === 1);
  client.destroy();
  await until(async () => (await unfinished(context)).length === 0);
  assert.is(await context.storage.head(key), undefined);
});

files(
  'given many uploads at a time, when they end, then the object is one of them, whole',
  async (context) => {
    const url = await urlFor(context);
    const contents = Array.from({ length: 8 }, (_, index) => String(index).repeat(100_000));
    await Promise.all(contents.map((content) => upload(url, content)));
    const seals = await Promise.all([1, 2, 3].map(() => context.storage.seal(key, { mostBytes: 1_000_000 })));
    assert.equal(
      seals.map(({ outcome }) => outcome),
      ['sealed', 'sealed', 'sealed'],
    );
    assert.ok(contents.includes(await textOf(await context.storage.read(key))));
  },
);

files('given what a killed process left, when it is swept, then what is young stays', async (context) => {
  await context.storage.write('a/b.csv', partsOf('x'), 1);
  const directory = join(context.directory, 'unfinished');
  const [old, young] = [join(directory, 'old'), join(directory, 'young')];
  await writeFile(old, '');
  await utimes(old, 0, 0);
  await writeFile(young, '');
  await context.storage.sweep(new Date(Date.now() - 60_000));
  assert.equal(await unfinished(context), ['young']);
});

files('given a signed URL, when it is written differently, then it is 403', async (context) => {
  const url = await urlFor(context);
  const variants = [
    url.replace('request.csv', 'x/../request.csv?'),
    url.replace('tenant/job', 'tenant%2fjob'),
    `${url}&size=99999999999`,
    `${url}&signature=x`,
    `${url}&more=1`,
    `${url}=`,
    url.replace(/size=\d+/, 'size=1e9'),
    url.replace('/objects/', '/objects//'),
  ];
  for (const variant of variants) assert.is((await upload(variant, 'x')).status, 403, variant);
  assert.is((await download(new URL('/objects/', url).href)).status, 403);
  assert.is(await context.storage.head(key), undefined);
});

files.run();
