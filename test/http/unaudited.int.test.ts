import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineRoute } from '#http/route.ts';
import { AuditUnavailable } from '#ports/audit.ts';
import { startService } from '#test/http/support/service.ts';
import { until } from '#test/support/until.ts';

const unaudited = suite('http: answers that cannot be written into the audit log');

const source = Readable.from(['4242424242424242']);
const common = { method: 'GET', tags: [], permission: 'token:read', audits: { entity: 'token' } } as const;
const service = await startService(
  [
    defineRoute({
      ...common,
      path: '/whole',
      summary: 'An answer with a header',
      responses: { 200: null },
      handle: () =>
        Promise.resolve({ status: 200, headers: { 'X-Shown': 'secret' }, body: { data: 'secret' } }),
    }),
    defineRoute({
      ...common,
      path: '/stream',
      summary: 'An answer that flows',
      responses: { 200: null },
      handle: () =>
        Promise.resolve({
          status: 200,
          headers: { 'X-Shown': 'secret' },
          content: { type: 'text/plain', data: source },
        }),
    }),
  ],
  { audit: { record: () => Promise.reject(new AuditUnavailable('the audit log cannot be written')) } },
);
unaudited.after(() => service.close());

for (const path of ['/whole', '/stream']) {
  unaudited(`given one of ${path}, then a problem takes its place, and nothing of it leaves`, async () => {
    const { status, headers, body, text } = await service.call('GET', path);
    assert.is(status, 503);
    assert.is(headers.get('content-type'), 'application/problem+json');
    assert.is(headers.get('x-shown'), null);
    assert.is(headers.get('retry-after'), '1');
    assert.equal(Object.keys(body as object).sort(), ['detail', 'status', 'title'].sort());
    assert.not.match(text, 'secret');
    assert.not.match(text, '4242');
  });
}

unaudited('given one that would have flowed, then what it came from is let go', async () => {
  await until(() => source.destroyed);
});

unaudited.run();
