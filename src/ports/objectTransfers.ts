import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';

export type TransferAnswer = {
  status: 200 | 400 | 403 | 404 | 409 | 413;
  headers: Readonly<Record<string, string>>;
  /** Who answers the request destroys it when the client goes away. */
  body: Readable | string;
};

/** What clients do with the URLs of an object storage that signs its own. */
export interface ObjectTransfers {
  /**
   * Answers a request under a signed URL; there is no other authentication, and nobody else may read its body.
   * Whatever is left of the body of a refused upload is for the HTTP server to drop.
   */
  answer(request: IncomingMessage): Promise<TransferAnswer>;
}

/** Where signed URLs are answered, below the service's own. */
export const objectsPath = '/objects/';

/** Who is asked about uploads, and told of them. */
export interface UploadWatch {
  /** Whether something uploaded there would still be read. */
  isAwaited(key: string): Promise<boolean>;
  /** It is there, and durable; when this fails, so does the upload. */
  arrived(key: string, bytes: number): Promise<void>;
}
