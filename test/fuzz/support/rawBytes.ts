import { connect } from 'node:net';
import fc from 'fast-check';

/** Bytes for a connection of their own: HTTP, nearly HTTP, and what is none. */
export type RawBytes = { text: string; /** The client closes its side after sending. */ ends: boolean };

const start = fc.constantFrom(
  ...['GET /healthz HTTP/1.1', 'POST /tokens HTTP/1.1', 'GET /tokens?page=1 HTTP/1.1', 'OPTIONS * HTTP/1.1'],
  ...[
    'GET http://elsewhere.invalid/healthz HTTP/1.1',
    'CONNECT elsewhere.invalid:443 HTTP/1.1',
    'PRI * HTTP/2.0',
  ],
  ...[
    'GET  /healthz HTTP/1.1',
    'GET /healthz HTTP/1.0',
    'GET /healthz HTTP/9.9',
    'get /healthz HTTP/1.1',
    'GET /',
  ],
  ...['TRACE / HTTP/1.1', 'PROPFIND /tokens HTTP/1.1', 'QUERY /tokens HTTP/1.1', 'HEAD /tokens HTTP/1.1', ''],
  ...[
    'GET //tokens HTTP/1.1',
    'GET /tokens/../healthz HTTP/1.1',
    'GET /%c0%ae HTTP/1.1',
    'GET /tokens/\0 HTTP/1.1',
  ],
  ...['GET ? HTTP/1.1', 'GET /tokens?%ff=%ff&&&=#x HTTP/1.1', 'GET http:// HTTP/1.1', 'GET //@:/ HTTP/1.1'],
  `GET /${'a'.repeat(20_000)} HTTP/1.1`,
);

const header = fc.constantFrom(
  ...[
    'Host: x',
    'Host: x',
    'Host: x',
    'Host:',
    'Host: a\r\nHost: b',
    'Connection: close',
    'Connection: keep-alive',
  ],
  ...[
    'Content-Length: 5',
    'Content-Length: 2',
    'Content-Length: -1',
    'Content-Length: 5, 5',
    'Content-Length: 9e9',
  ],
  ...[
    'Content-Length: 5\r\nContent-Length: 6',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: chunked, gzip',
  ],
  ...[
    'Transfer-Encoding: \x0bchunked',
    'Transfer-Encoding: identity',
    'Content-Length: 99999999999999999999',
  ],
  ...[
    'Expect: 100-continue',
    'Expect: the unexpected',
    'Upgrade: h2c',
    'Upgrade: websocket\r\nConnection: Upgrade',
  ],
  ...[
    'Content-Type: application/json',
    'Content-Encoding: gzip',
    'BT-API-KEY: key_none',
    'BT-API-KEY: \xff\xfe',
  ],
  ...[
    'X: a\rb',
    'X: a\nb',
    ' folded',
    'No colon',
    ': no name',
    'X\0: y',
    'Na me: x',
    'TE: trailers',
    'Range: bytes=0-',
  ],
  ...[
    'BT-TRACE-ID: \xe4\xf6',
    'X-Forwarded-For: 999.1.1.1, ::, x',
    'Accept: */*;q=2',
    `Long: ${'b'.repeat(17_000)}`,
  ],
);

const rest = fc.oneof(
  fc.constantFrom(
    '',
    '{}',
    'hello',
    '5\r\nhello\r\n0\r\n\r\n',
    'zz\r\nhello\r\n',
    'ffffffffffffffffff\r\n',
    '5\r\nhel',
  ),
  fc.constant('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3)),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

const nearlyHttp = fc
  .record({
    start,
    headers: fc.array(header, { maxLength: 5 }),
    lineEnd: fc.constantFrom('\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r'),
    rest,
    ends: fc.boolean(),
  })
  .map(({ start, headers, lineEnd, rest, ends }) => ({
    text: [start, ...headers, '', rest].join(lineEnd),
    ends,
  }));

const noHttp = fc.record({
  text: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.constantFrom(
      '\x16\x03\x01\x02\x00\x01',
      '\0'.repeat(1_000),
      '*1\r\n$4\r\nPING\r\n',
      'a'.repeat(100_000),
    ),
  ),
  ends: fc.boolean(),
});

export const rawBytes: fc.Arbitrary<RawBytes> = fc.oneof(
  { arbitrary: nearlyHttp, weight: 5 },
  { arbitrary: noHttp, weight: 1 },
);

/** A whole answer as it came; an empty `head` when the connection was closed without one. */
export type RawAnswer = { status: number; contentType: string; text: string };

/** A server that waits for more is left alone after this long without a byte, in milliseconds. */
const silence = 150;

/**
 * Sends bytes and gathers what comes back until the connection is closed, or is silent. `begins` is how long the
 * first byte may take, in milliseconds: wild bytes may have no answer at all.
 */
export function sendRaw(
  port: number,
  { text, ends }: RawBytes,
  { begins = silence }: { begins?: number } = {},
): Promise<RawAnswer[]> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('latin1').setTimeout(begins);
    socket.on('data', (chunk: string) => {
      received += chunk;
      socket.setTimeout(silence);
    });
    socket.on('timeout', () => socket.destroy());
    // Reset by the server, in the middle of what it refuses to read.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(answersIn(received));
    });
    const bytes = Buffer.from(text, 'latin1');
    if (ends) socket.end(bytes);
    else socket.write(bytes);
  });
}

/** Several when requests were pipelined; those without a length of their own end the text. */
function answersIn(received: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let left = received; left.startsWith('HTTP/1.1 ');) {
    const headEnd = left.indexOf('\r\n\r\n');
    const head = headEnd < 0 ? left : left.slice(0, headEnd);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    const status = Number(head.slice(9, 12));
    const body = status === 100 ? '' : left.slice(head.length + 4, head.length + 4 + length);
    const contentType = /^content-type: ([^\r]*)/im.exec(head)?.[1] ?? '';
    answers.push({ status, contentType, text: Buffer.from(body, 'latin1').toString() });
    left = left.slice(head.length + 4 + body.length);
  }
  return answers;
}
