/** A part of an object, in bytes: from `start` to the one before `end`. */
export type ByteRange = { start: number; end: number };

export type StoredObject = { bytes: number };

export type Sealing =
  | { outcome: 'sealed'; object: StoredObject }
  /** Nothing was uploaded. */
  | { outcome: 'absent' }
  /** The upload was larger than allowed, and is gone. */
  | { outcome: 'too_large' };

/**
 * Files that are too large for the database, and that clients send and fetch without a key of theirs.
 *
 * A key is a path of lower-case words, `<tenant>/<job>/request.csv`. What a client uploads is open, so that a later
 * upload replaces it, until it is sealed; what the service writes is sealed from the start. The service reads, and
 * hands out, sealed objects only.
 */
export interface ObjectStorage {
  /** A URL that takes a PUT of the object until then. */
  uploadUrl(key: string, limits: { expiresAt: Date; mostBytes: number }): Promise<string>;
  /** A URL that answers a GET of the sealed object until then. */
  downloadUrl(key: string, limits: { expiresAt: Date }): Promise<string>;
  /** Whether something was uploaded, or is sealed already, and how large it is. */
  head(key: string): Promise<StoredObject | undefined>;
  /**
   * From here on, the object stays what it is, whatever is uploaded. Sealing again answers the same. One worker at a
   * time may seal a key.
   */
  seal(key: string, limits: { mostBytes: number }): Promise<Sealing>;
  /** A sealed object as it comes, reading no further ahead than it is asked to. @throws ObjectNotFound */
  read(key: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
  /** Durable when it returns; replaces what was there. @param bytes how long the content is */
  write(key: string, content: AsyncIterable<Uint8Array>, bytes: number): Promise<void>;
  /** Removes the object, open or sealed; one that is not there is fine. */
  remove(key: string): Promise<void>;
  /** Removes every object whose key begins with this path. */
  removeAll(path: string): Promise<void>;
  close(): void;
}

export class ObjectNotFound extends Error {
  override readonly name = 'ObjectNotFound';
  constructor(key: string, options?: ErrorOptions) {
    super(`There is no sealed object under '${key}'.`, options);
  }
}
