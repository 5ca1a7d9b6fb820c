import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { open } from 'node:fs/promises';
import { ifThere, isUnavailable, placesIn } from '#infra/storage/files/places.ts';
import type { Places } from '#infra/storage/files/places.ts';
import { receive } from '#infra/storage/files/receive.ts';
import { permitOf } from '#infra/storage/files/signedUrls.ts';
import { TooManyBytes } from '#infra/storage/files/store.ts';
import type { Clock } from '#ports/clock.ts';
import type { ObjectTransfers, TransferAnswer, UploadWatch } from '#ports/objectTransfers.ts';
import { StoreUnavailable } from '#ports/readModels.ts';

type Settings = {
  directory: string;
  secret: () => Promise<KeyObject>;
  clock: Clock;
  watch: UploadWatch;
};

const refuse = (status: TransferAnswer['status'], body: string): TransferAnswer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `${body}\n`,
});

/** What clients do with the URLs of the file storage. */
export function createTransfers({ directory, secret, clock, watch }: Settings): ObjectTransfers {
  const places = placesIn(directory);
  return {
    answer: async (request) => {
      const permit = permitOf(await secret(), request.method, request.url ?? '');
      if (permit === undefined) return refuse(403, 'The URL is not valid.');
      if (clock.now().getTime() >= permit.expires * 1000) return refuse(403, 'The URL has expired.');
      return permit.method === 'PUT' ? upload(places, request, permit, watch) : download(places, permit.key);
    },
  };
}

async function upload(
  places: Places,
  request: IncomingMessage,
  { key, mostBytes }: { key: string; mostBytes: number },
  watch: UploadWatch,
): Promise<TransferAnswer> {
  const tooLate = refuse(409, 'No file is awaited here any more.');
  const tooLarge = refuse(413, `The file is larger than ${mostBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return tooLarge;
  if (!(await watch.isAwaited(key))) return tooLate;
  try {
    // A refused request is answered on the same connection, so it must not be destroyed.
    const content = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    const received = await receive(places, key, content, mostBytes);
    if (received === undefined) return tooLate;
    await watch.arrived(key, received.bytes);
    return { status: 200, headers: {}, body: '' };
  } catch (error) {
    if (error instanceof TooManyBytes) return tooLarge;
    if (request.destroyed && !request.complete) return refuse(400, 'The upload broke off.');
    if (isUnavailable(error)) throw new StoreUnavailable('a file cannot be stored', { cause: error });
    throw error;
  }
}

async function download(places: Places, key: string): Promise<TransferAnswer> {
  const file = await ifThere(open(places.sealed(key)));
  if (file === undefined) return refuse(404, 'There is no such file.');
  try {
    const { size } = await file.stat();
    return {
      status: 200,
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-length': String(size),
        'content-disposition': `attachment; filename="${key.slice(key.lastIndexOf('/') + 1)}"`,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      },
      body: file.createReadStream(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}
