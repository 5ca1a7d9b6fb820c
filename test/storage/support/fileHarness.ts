import { createSecretKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createFileStorage } from '#infra/storage/files/fileStorage.ts';
import type { FileStorage } from '#infra/storage/files/fileStorage.ts';
import { createTransfers } from '#infra/storage/files/transfers.ts';
import type { Harness } from '#test/storage/contract/objectStorage.ts';

export type FileHarness = Harness & { storage: FileStorage; directory: string };

/** The file storage, and a server that answers its URLs. */
export async function startFileStorage(): Promise<FileHarness> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-objects-'));
  const key = createSecretKey(randomBytes(32));
  const secret = () => Promise.resolve(key);
  const watch = { isAwaited: () => Promise.resolve(true), arrived: () => Promise.resolve() };
  let offset = 0;
  const clock = { now: () => new Date(Date.now() + offset) };
  const transfers = createTransfers({ directory, secret, clock, watch });
  const server = createServer((request, response) => {
    void transfers.answer(request).then(({ status, headers, body }) => {
      response.writeHead(status, headers);
      if (body instanceof Readable) body.pipe(response);
      else response.end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    directory,
    storage: createFileStorage({ directory, baseUrl, secret }),
    now: clock.now,
    pass: (milliseconds) => {
      offset += milliseconds;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      await rm(directory, { recursive: true, force: true });
    },
  };
}
