import { promisify } from 'node:util';
import { brotliDecompress, unzip } from 'node:zlib';
import { invalid } from '#http/validation/faults.ts';
import { PayloadTooLarge, UnsupportedMediaType } from '#src/errors.ts';
import { errno } from '#src/errno.ts';

const decoders = {
  gzip: promisify(unzip),
  'x-gzip': promisify(unzip),
  deflate: promisify(unzip),
  br: promisify(brotliDecompress),
} as const;

/** The bytes of a body that comes piece by piece. @throws PayloadTooLarge */
export async function wholeBody(body: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * A body without its content coding, which stops at the limit, whatever the body says it would become.
 * @throws PayloadTooLarge @throws UnsupportedMediaType @throws ValidationFailed
 */
export async function decodedBody(
  bytes: Uint8Array,
  coding: string | undefined,
  most: number,
): Promise<Uint8Array> {
  const name = (coding ?? '').trim().toLowerCase();
  if (name === '' || name === 'identity') return bytes;
  if (!isKnown(name)) throw new UnsupportedMediaType('The Content-Encoding is not supported.');
  try {
    return await decoders[name](bytes, { maxOutputLength: most });
  } catch (error) {
    throw errno(error) === 'ERR_BUFFER_TOO_LARGE'
      ? tooLarge(most)
      : invalid('body', 'cannot be decompressed');
  }
}

const isKnown = (name: string): name is keyof typeof decoders => Object.hasOwn(decoders, name);

const tooLarge = (most: number): PayloadTooLarge =>
  new PayloadTooLarge(`The body must be at most ${most} bytes long.`);
