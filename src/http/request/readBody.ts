import bodyParser from 'koa-bodyparser';
import type { HttpContext } from '#http/context.ts';
import { mediaTypes } from '#http/request/contentType.ts';
import { invalid } from '#http/validation/faults.ts';
import { PayloadTooLarge, UnsupportedMediaType } from '#src/errors.ts';

/** Bytes of a body, unless its route says otherwise. */
export const defaultBodyLimit = 1_048_576;

export type ReadBody = (context: HttpContext) => Promise<Uint8Array>;

/**
 * A reader of raw bodies, decompressed, up to a limit in bytes.
 *
 * The parser of the middleware is not used: it would turn invalid UTF-8 into other characters, and refuse or
 * drop `__proto__` keys, which are a tenant's data like others.
 */
export function bodyReader(limit: number): ReadBody {
  const read = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: Object.values(mediaTypes).flat() },
    textLimit: String(limit),
    // No decoding: the bytes.
    ...{ encoding: '' },
  });
  return async (context) => {
    const { lent } = context.state;
    if (lent !== undefined) return within(lent.body, limit);
    try {
      await read(context, done);
    } catch (error) {
      throw translate(error, limit);
    }
    const { body } = context.request;
    return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  };
}

const done = (): Promise<void> => Promise.resolve();

function translate(error: unknown, limit: number): unknown {
  if (!(error instanceof Error)) return error;
  const status = 'status' in error ? error.status : undefined;
  const code = 'code' in error ? String(error.code) : '';
  if (status === 413) return tooLarge(limit);
  if (status === 415) return new UnsupportedMediaType('The Content-Encoding is not supported.');
  if (status === 400) return invalid('body', 'ended before it was complete');
  if (code.startsWith('Z_') || code.startsWith('ERR_')) return invalid('body', 'cannot be decompressed');
  return error;
}

function within(body: Uint8Array, limit: number): Uint8Array {
  if (body.length > limit) throw tooLarge(limit);
  return body;
}

const tooLarge = (limit: number): PayloadTooLarge =>
  new PayloadTooLarge(`The request body must be at most ${limit} bytes long.`);
