/** What travels between a service process and a host: a small header as JSON, and a text that is not looked into. */
export type Frame<Header> = { header: Header; payload: string };

export type FrameReader = { read(chunk: Uint8Array): void };

const lengthBytes = 4;

/** Both lengths come first: of all that follows, and of the header. */
export function encodeFrame(header: object, payload = ''): Buffer {
  const text = JSON.stringify(header);
  const headerBytes = Buffer.byteLength(text);
  const payloadBytes = Buffer.byteLength(payload);
  const frame = Buffer.allocUnsafe(2 * lengthBytes + headerBytes + payloadBytes);
  frame.writeUInt32LE(lengthBytes + headerBytes + payloadBytes, 0);
  frame.writeUInt32LE(headerBytes, lengthBytes);
  frame.write(text, 2 * lengthBytes);
  frame.write(payload, 2 * lengthBytes + headerBytes);
  return frame;
}

/**
 * Reads frames from chunks as they come.
 * @param limit bytes of a frame; nothing of a larger one is gathered
 * @param onFault what came is no frame, or too large; nothing more is read
 */
export function createFrameReader<Header>(
  limit: number,
  onFrame: (frame: Frame<Header>) => void,
  onFault: () => void,
): FrameReader {
  let chunks: Uint8Array[] = [];
  let gathered = 0;
  let broken = false;

  const fail = (): void => {
    broken = true;
    chunks = [];
    onFault();
  };
  const take = (buffer: Buffer): Buffer | undefined => {
    if (buffer.length < lengthBytes) return undefined;
    const length = buffer.readUInt32LE(0);
    if (length > limit || length < lengthBytes) {
      fail();
      return undefined;
    }
    const end = lengthBytes + length;
    if (buffer.length < end) return undefined;
    const frame = decode<Header>(buffer.subarray(lengthBytes, end));
    if (frame === undefined) {
      fail();
      return undefined;
    }
    onFrame(frame);
    return buffer.subarray(end);
  };
  return {
    read(chunk) {
      if (broken) return;
      chunks.push(chunk);
      gathered += chunk.length;
      if (gathered < expected(chunks)) return;
      let rest =
        chunks.length === 1
          ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
          : Buffer.concat(chunks);
      for (let next = take(rest); next !== undefined; next = take(rest)) rest = next;
      chunks = rest.length === 0 ? [] : [rest];
      gathered = rest.length;
    },
  };
}

/** Bytes that the first frame needs, so that a large one is put together once and not with every chunk. */
function expected([first]: readonly Uint8Array[]): number {
  if (first === undefined || first.length < lengthBytes) return 0;
  return lengthBytes + Buffer.from(first.buffer, first.byteOffset, lengthBytes).readUInt32LE(0);
}

function decode<Header>(bytes: Buffer): Frame<Header> | undefined {
  const headerBytes = bytes.readUInt32LE(0);
  const start = lengthBytes + headerBytes;
  if (start > bytes.length) return undefined;
  try {
    const header = JSON.parse(bytes.toString('utf8', lengthBytes, start)) as Header;
    return { header, payload: bytes.toString('utf8', start) };
  } catch {
    return undefined;
  }
}
