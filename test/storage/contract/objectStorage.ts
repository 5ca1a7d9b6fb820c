import { randomUUID } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ObjectNotFound } from '#ports/objectStorage.ts';
import type { ObjectStorage } from '#ports/objectStorage.ts';
import { download, partsOf, textOf, upload } from '#test/storage/support/clients.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';

export type Harness = {
  storage: ObjectStorage;
  now(): Date;
  /** Moves the clock of whoever checks URLs. */
  pass(milliseconds: number): void;
  close(): Promise<void>;
};

/** What every object storage does. Engines differ in when they refuse: see their own tests. */
export function objectStorageContract(engine: string, start: () => Promise<Harness>): void {
  const storages = suite<{ harness: Harness; key: string }>(`object storage: ${engine}`);
  const hour = 3_600_000;
  const mostBytes = 1000;
  const uploadUrl = ({ storage, now }: Harness, key: string): Promise<string> =>
    storage.uploadUrl(key, { expiresAt: new Date(now().getTime() + hour), mostBytes });
  const downloadUrl = ({ storage, now }: Harness, key: string): Promise<string> =>
    storage.downloadUrl(key, { expiresAt: new Date(now().getTime() + hour) });

  storages.before.each(async (context) => {
    context.harness = await start();
    context.key = `${randomUUID()}/${randomUUID()}/request.csv`;
  });
  storages.after.each(async ({ harness }) => {
    harness.storage.close();
    await harness.close();
  });

  storages(
    'given nothing uploaded, when it is looked at, sealed or read, then it is not there',
    async (c) => {
      const { storage } = c.harness;
      assert.is(await storage.head(c.key), undefined);
      assert.equal(await storage.seal(c.key, { mostBytes }), { outcome: 'absent' });
      assert.instance(await rejectionOf(storage.read(c.key)), ObjectNotFound);
      assert.is((await download(await downloadUrl(c.harness, c.key))).status, 404);
      await storage.remove(c.key);
    },
  );

  storages(
    'given an upload, when it is sealed, then it is read whole, in part, and by its URL',
    async (c) => {
      const { storage } = c.harness;
      assert.is((await upload(await uploadUrl(c.harness, c.key), 'token,\n1,2\n')).status, 200);
      assert.equal(await storage.head(c.key), { bytes: 11 });
      const sealed = { outcome: 'sealed', object: { bytes: 11 } };
      assert.equal(await storage.seal(c.key, { mostBytes }), sealed);
      assert.equal(await storage.seal(c.key, { mostBytes }), sealed);
      assert.is(await textOf(await storage.read(c.key)), 'token,\n1,2\n');
      assert.is(await textOf(await storage.read(c.key, { start: 7, end: 10 })), '1,2');
      assert.is(await textOf(await storage.read(c.key, { start: 7, end: 7 })), '');
      const { status, body, headers } = await download(await downloadUrl(c.harness, c.key));
      assert.equal([status, body], [200, 'token,\n1,2\n']);
      assert.is(headers['content-type'], 'text/csv; charset=utf-8');
      assert.is(headers['content-disposition'], 'attachment; filename="request.csv"');
    },
  );

  storages('given an upload that is open, when its download is tried, then it is not there', async (c) => {
    await upload(await uploadUrl(c.harness, c.key), 'open');
    assert.is((await download(await downloadUrl(c.harness, c.key))).status, 404);
    assert.instance(await rejectionOf(c.harness.storage.read(c.key)), ObjectNotFound);
  });

  storages(
    'given an upload, when another comes, then it replaces the first until it is sealed',
    async (c) => {
      const { storage } = c.harness;
      const url = await uploadUrl(c.harness, c.key);
      await upload(url, 'the first, which is longer');
      assert.is((await upload(url, 'the second')).status, 200);
      await storage.seal(c.key, { mostBytes });
      await upload(url, 'the third');
      assert.equal(await storage.seal(c.key, { mostBytes }), { outcome: 'sealed', object: { bytes: 10 } });
      assert.is(await textOf(await storage.read(c.key)), 'the second');
    },
  );

  storages('given a URL, when it has expired, then it is 403, and nothing is kept', async (c) => {
    const { storage } = c.harness;
    const [put, get] = [await uploadUrl(c.harness, c.key), await downloadUrl(c.harness, c.key)];
    c.harness.pass(hour + 1000);
    assert.is((await upload(put, 'late')).status, 403);
    assert.is((await download(get)).status, 403);
    assert.is(await storage.head(c.key), undefined);
  });

  storages('given a URL, when any part of it is changed, then it is 403, and nothing is kept', async (c) => {
    const { storage } = c.harness;
    const put = new URL(await uploadUrl(c.harness, c.key));
    for (const name of [...put.searchParams.keys()].filter((each) => each !== 'x-id')) {
      const changed = new URL(put);
      const value = changed.searchParams.get(name) ?? '';
      changed.searchParams.set(
        name,
        value.replace(/.$/, (last) => (last === '1' ? '2' : '1')),
      );
      assert.is((await upload(changed.href, 'forged')).status, 403, name);
      changed.searchParams.delete(name);
      assert.is((await upload(changed.href, 'forged')).status, 403, name);
    }
    const other = new URL(put);
    other.pathname = other.pathname.replace('request', 'result');
    assert.is((await upload(other.href, 'forged')).status, 403);
    assert.is((await download(put.href)).status, 403);
    const get = await downloadUrl(c.harness, c.key);
    assert.is((await upload(get, 'forged')).status, 403);
    assert.is(await storage.head(c.key), undefined);
  });

  storages(
    'given content of the service, when it is written again, then the later one is read',
    async (c) => {
      const { storage } = c.harness;
      await storage.write(c.key, partsOf('one', 'two'), 6);
      assert.is(await textOf(await storage.read(c.key)), 'onetwo');
      await storage.write(c.key, partsOf('three'), 5);
      assert.is(await textOf(await storage.read(c.key)), 'three');
      assert.equal(await storage.head(c.key), { bytes: 5 });
    },
  );

  storages('given objects, when one is removed, or all below a path, then no other is', async (c) => {
    const { storage } = c.harness;
    const [one, two] = [randomUUID(), randomUUID()];
    const keys = [`${one}/a.csv`, `${one}/b/1.csv`, `${one}/b/2.csv`, `${one}/c.csv`, `${two}/a.csv`];
    for (const key of keys) await storage.write(key, partsOf('x'), 1);
    await upload(await uploadUrl(c.harness, `${one}/d.csv`), 'open');
    await storage.remove(`${one}/a.csv`);
    await storage.removeAll(`${one}/b`);
    const left = await Promise.all(keys.map((key) => storage.head(key)));
    assert.equal(
      left.map((object) => object !== undefined),
      [false, false, false, true, true],
    );
    await storage.removeAll(one);
    assert.is(await storage.head(`${one}/d.csv`), undefined);
    assert.is(await storage.head(`${one}/c.csv`), undefined);
    assert.equal(await storage.head(`${two}/a.csv`), { bytes: 1 });
  });

  storages('given what is no key, when it is used, then it is refused', async (c) => {
    const { storage } = c.harness;
    for (const key of ['', '/a', '../a', 'a/../b', 'a//b', 'a/./b', 'A', 'a b', 'a%2fb', 'a\0', 'a.b/c']) {
      assert.instance(await rejectionOf(storage.head(key)), TypeError);
    }
    assert.instance(await rejectionOf(storage.removeAll('..')), TypeError);
    assert.instance(await rejectionOf(storage.removeAll('')), TypeError);
  });

  storages.run();
}
