import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Readable } from 'node:stream';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { checkKey, checkPath } from '#infra/storage/objectKey.ts';
import { ObjectNotFound } from '#ports/objectStorage.ts';
import type { ObjectStorage, Sealing } from '#ports/objectStorage.ts';
import type { Clock } from '#ports/clock.ts';

export type S3Settings = {
  bucket: string;
  region: string;
  /** Undefined: AWS itself. */
  endpoint: string | undefined;
  /** Undefined: found where the SDK looks for them. */
  /** Whether the bucket stands in the path of URLs; undefined: with an endpoint it does. */
  pathStyle?: boolean | undefined;
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
  clock: Clock;
};

/** S3 signs no URL for longer than seven days. */
const longestUrl = 7 * 24 * 3600;

/**
 * Objects in a bucket, under URLs that the SDK signs. Such a URL can neither limit a size nor be taken back. So clients
 * write below `open/`, and sealing looks at the size and copies to `sealed/`, which no URL can write to: an upload that
 * comes later succeeds, and changes nothing.
 */
export function createS3Storage(settings: S3Settings): ObjectStorage {
  const client = clientOf(settings);
  const Bucket = settings.bucket;
  const place = (stage: 'open' | 'sealed', key: string): { Bucket: string; Key: string } => {
    checkKey(key);
    return { Bucket, Key: `${stage}/${key}` };
  };
  const secondsUntil = (time: Date): number => {
    const seconds = Math.floor((time.getTime() - settings.clock.now().getTime()) / 1000);
    return Math.max(1, Math.min(seconds, longestUrl));
  };
  const headOf = async (stage: 'open' | 'sealed', key: string): Promise<Head | undefined> => {
    const head = await ifThere(client.send(new HeadObjectCommand(place(stage, key))));
    return head === undefined ? undefined : { bytes: head.ContentLength ?? 0, tag: head.ETag };
  };
  const remove = async (stage: 'open' | 'sealed', key: string): Promise<void> => {
    await client.send(new DeleteObjectCommand(place(stage, key)));
  };

  const seal = async (key: string, mostBytes: number): Promise<Sealing> => {
    const sealed = await headOf('sealed', key);
    if (sealed !== undefined) return { outcome: 'sealed', object: { bytes: sealed.bytes } };
    const open = await headOf('open', key);
    if (open === undefined) return { outcome: 'absent' };
    if (open.bytes > mostBytes) {
      await remove('open', key);
      return { outcome: 'too_large' };
    }
    const from = place('open', key);
    const copied = await ifUnchanged(
      client.send(
        new CopyObjectCommand({
          ...place('sealed', key),
          CopySource: `${from.Bucket}/${from.Key}`,
          // What was measured is what is copied.
          CopySourceIfMatch: open.tag,
        }),
      ),
    );
    if (!copied) return seal(key, mostBytes);
    await remove('open', key);
    return { outcome: 'sealed', object: { bytes: open.bytes } };
  };

  return {
    uploadUrl: (key, { expiresAt }) =>
      getSignedUrl(client, new PutObjectCommand(place('open', key)), { expiresIn: secondsUntil(expiresAt) }),
    downloadUrl: (key, { expiresAt }) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          ...place('sealed', key),
          ResponseContentType: 'text/csv; charset=utf-8',
          ResponseContentDisposition: `attachment; filename="${key.slice(key.lastIndexOf('/') + 1)}"`,
        }),
        { expiresIn: secondsUntil(expiresAt) },
      ),
    head: async (key) => {
      const head = (await headOf('sealed', key)) ?? (await headOf('open', key));
      return head === undefined ? undefined : { bytes: head.bytes };
    },
    seal: (key, { mostBytes }) => seal(key, mostBytes),
    read: async (key, range) => {
      if (range !== undefined && range.end <= range.start) return Readable.from([]);
      const Range = range === undefined ? undefined : `bytes=${range.start}-${range.end - 1}`;
      const found = await ifThere(client.send(new GetObjectCommand({ ...place('sealed', key), Range })));
      if (found?.Body === undefined) throw new ObjectNotFound(key);
      return found.Body as AsyncIterable<Uint8Array> & typeof found.Body;
    },
    write: async (key, content, bytes) => {
      await client.send(
        new PutObjectCommand({
          ...place('sealed', key),
          Body: Readable.from(content, { objectMode: false }),
          ContentLength: bytes,
          ContentType: 'text/csv; charset=utf-8',
        }),
      );
    },
    remove: async (key) => {
      await remove('open', key);
      await remove('sealed', key);
    },
    removeAll: async (path) => {
      checkPath(path);
      for (const stage of ['open', 'sealed']) await removeBelow(client, Bucket, `${stage}/${path}/`);
    },
    close: () => {
      client.destroy();
    },
  };
}

type Head = { bytes: number; tag: string | undefined };

function clientOf({ region, endpoint, pathStyle, credentials }: S3Settings): S3Client {
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    // Names of hosts for each bucket are AWS's own.
    forcePathStyle: pathStyle ?? endpoint !== undefined,
    // Servers that are compatible with S3 do not all know its newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

async function removeBelow(client: S3Client, Bucket: string, Prefix: string): Promise<void> {
  for (;;) {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix }));
    if (Contents.length === 0) return;
    for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket, Key }));
  }
}

const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;

async function ifThere<Answer>(operation: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/** Whether the copy was made: not when the object was replaced, or removed, since its tag was read. */
async function ifUnchanged(copy: Promise<unknown>): Promise<boolean> {
  try {
    await copy;
    return true;
  } catch (error) {
    if (statusOf(error) === 412 || statusOf(error) === 404) return false;
    throw error;
  }
}
