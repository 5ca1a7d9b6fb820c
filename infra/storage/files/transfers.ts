import type { KeyObject } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ifThere, placesIn } from '#infra/storage/files/places.ts';
import type { Places } from '#infra/storage/files/places.ts';
import { receive } from '#infra/storage/files/receive.ts';
import { permitOf } from '#infra/storage/files/signedUrls.ts';
import { TooManyBytes } from '#infra/storage/files/store.ts';
import type { Clock } from '#ports/clock.ts';

export type TransferAnswer = {
  status: 200 | 400 | 403 | 404 | 409 | 413;
  headers: Readonly<Record<string, string>>;
  /** Who answers the request destroys it when the client goes away. */
  body: Readable | string;
};

export type Transfers = {
  /**
   * Answers a request under a signed URL; there is no other authentication, and nobody else may read its body.
   * Whatever is left of the body of a refused upload is for the HTTP server to drop.
   */
  answer(request: IncomingMessage): Promise<TransferAnswer>;
};

type Settings = { directory: string; secret: KeyObject; clock: Clock };

const refuse = (status: TransferAnswer['status'], body: string): TransferAnswer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `${body}\n`,
});

/** What clients do with the URLs of the file storage. */
export function createTransfers({ directory, secret, clock }: Settings): Transfers {
  const places = placesIn(directory);
  return {
    answer: async (request) => {
      const permit = permitOf(secret, request.method, request.url ?? '');
      if (permit === undefined) return refuse(403, 'The URL is not valid.');
      if (clock.now().getTime() >= permit.expires * 1000) return refuse(403, 'The URL has expired.');
      return permit.method === 'PUT' ? upload(places, request, permit) : download(places, permit.key);
    },
  };
}

async function upload(
  places: Places,
  request: IncomingMessage,
  { key, mostBytes }: { key: string; mostBytes: number },
): Promise<TransferAnswer> {
  const tooLarge = refuse(413, `The file is larger than ${mostBytes} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) return tooLarge;
  try {
    // A refused request is answered on the same connection, so it must not be destroyed.
    const content = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
    if (await receive(places, key, content, mostBytes)) return { status: 200, headers: {}, body: '' };
    return refuse(409, 'The file is being processed already.');
  } catch (error) {
    if (error instanceof TooManyBytes) return tooLarge;
    if (request.destroyed && !request.complete) return refuse(400, 'The upload broke off.');
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
