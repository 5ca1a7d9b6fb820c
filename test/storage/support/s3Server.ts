import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkSignature } from '#test/storage/support/signature.ts';
import type { S3Credentials } from '#test/storage/support/signature.ts';

type S3Object = { content: Buffer; tag: string };

export type S3Server = {
  endpoint: string;
  objects: ReadonlyMap<string, S3Object>;
  /** Requests that were let in, as `PUT open/a/b`. */
  seen: string[];
  /** Runs before the next copy is made. */
  beforeCopy: (() => void) | undefined;
  put(key: string, content: Buffer): void;
  close(): Promise<void>;
};

/** As much of S3 as the service uses, for one bucket, in memory; signatures are checked. */
export async function startS3Server(
  bucket: string,
  credentials: S3Credentials,
  now: () => Date,
): Promise<S3Server> {
  const objects = new Map<string, S3Object>();
  const put = (key: string, content: Buffer): void => {
    const tag = `"${createHash('md5').update(content).digest('hex')}"`;
    objects.set(key, { content, tag });
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const content = await bodyOf(request);
    const fault = checkSignature(request, credentials, now());
    if (fault !== undefined) {
      refuse(response, 403, fault);
      return;
    }
    const url = new URL(request.url ?? '', 'http://s3');
    const [, inBucket, ...rest] = url.pathname.split('/').map(decodeURIComponent);
    const key = rest.join('/');
    server.seen.push(`${request.method ?? ''} ${key}`);
    if (inBucket !== bucket) refuse(response, 404, 'NoSuchBucket');
    else if (key === '') list(response, objects, url.searchParams.get('prefix') ?? '');
    else if (request.method === 'PUT' && request.headers['x-amz-copy-source'] !== undefined) {
      copy(request, response, key);
    } else if (request.method === 'PUT') {
      put(key, content);
      response.writeHead(200, { etag: objects.get(key)?.tag }).end();
    } else if (request.method === 'DELETE') {
      objects.delete(key);
      response.writeHead(204).end();
    } else show(request, response, url, objects.get(key));
  };
  const copy = (request: IncomingMessage, response: ServerResponse, key: string): void => {
    server.beforeCopy?.();
    const [, ...source] = decodeURIComponent(String(request.headers['x-amz-copy-source'])).split('/');
    const found = objects.get(source.join('/'));
    if (found === undefined) {
      refuse(response, 404, 'NoSuchKey');
    } else if (request.headers['x-amz-copy-source-if-match'] !== found.tag) {
      refuse(response, 412, 'PreconditionFailed');
    } else {
      objects.set(key, found);
      response.end(`<CopyObjectResult><ETag>${found.tag}</ETag></CopyObjectResult>`);
    }
  };
  const http = createServer((request, response) => void handle(request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server: S3Server = {
    endpoint: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    objects,
    seen: [],
    beforeCopy: undefined,
    put,
    close: async () => {
      http.close();
      http.closeAllConnections();
      await once(http, 'close');
    },
  };
  return server;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response
    .writeHead(status, { 'content-type': 'application/xml' })
    .end(`<Error><Code>${code}</Code></Error>`);
}

function list(response: ServerResponse, objects: ReadonlyMap<string, S3Object>, prefix: string): void {
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).slice(0, 2);
  const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
  response.end(`<ListBucketResult>${contents}</ListBucketResult>`);
}

function show(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  found: S3Object | undefined,
): void {
  if (found === undefined) {
    if (request.method === 'HEAD') response.writeHead(404).end();
    else refuse(response, 404, 'NoSuchKey');
    return;
  }
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const content =
    first === undefined ? found.content : found.content.subarray(Number(first), Number(last) + 1);
  response.writeHead(first === undefined ? 200 : 206, {
    etag: found.tag,
    'content-length': content.length,
    'content-type': url.searchParams.get('response-content-type') ?? 'binary/octet-stream',
    'content-disposition': url.searchParams.get('response-content-disposition') ?? 'inline',
  });
  response.end(request.method === 'HEAD' ? undefined : content);
}
