import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sendRaw } from '#test/fuzz/support/rawBytes.ts';
import { thingRoutes } from '#test/http/support/routes.ts';
import { startService } from '#test/http/support/service.ts';

const test = suite('http: requests that are hardly HTTP');
const service = await startService(thingRoutes);
const port = Number(new URL(service.url).port);

const cases: readonly (readonly [string, string, number, string])[] = [
  ['no Host', 'GET /things HTTP/1.1\r\n\r\n', 400, 'The request has no Host header.'],
  [
    'two Host headers',
    'GET /things HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n',
    400,
    'The request has more than one Host header.',
  ],
  ['no version', 'GET /things\r\n\r\n', 400, 'The request names no version of HTTP'],
  ['a target without a path', 'GET http:// HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'path'],
  [
    'an expectation of its own',
    'GET /things HTTP/1.1\r\nHost: x\r\nExpect: more\r\n\r\n',
    417,
    '100-continue',
  ],
  ['no method', '\0\0\0\r\n\r\n', 400, 'not valid HTTP'],
];

for (const [what, text, status, words] of cases) {
  test(`given a request with ${what}, then a problem says so`, async () => {
    const [answer] = await sendRaw(port, { text, ends: false }, { begins: 60_000 });
    assert.is(answer?.status, status);
    assert.is(answer?.contentType, 'application/json; charset=utf-8');
    assert.match(answer?.text ?? '', words);
  });
}

test.after(() => service.close());
test.run();
