import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSandbox } from '#test/sandbox/hostile/support/sandboxes.ts';
import type { TestSandbox } from '#test/sandbox/hostile/support/sandboxes.ts';
import { reachingLoopback } from '#test/outbound/support/guard.ts';
import { serveTls } from '#test/outbound/support/servers.ts';
import type { TestServer } from '#test/outbound/support/servers.ts';
import type { Outbound } from '#ports/outbound.ts';

type Context = { first: TestServer; second: TestServer; outbound: Outbound; sandbox: TestSandbox };
const test = suite<Context>('redirects that code follows');

/** Answers `/to/<location>` by a redirect, and everything else by the headers that came. */
const server = () =>
  serveTls((request, response) => {
    const location = /^\/to\/(.*)$/.exec(request.url ?? '')?.[1];
    if (location === undefined) response.end(JSON.stringify(request.headers));
    else response.writeHead(302, { location: decodeURIComponent(location) }).end();
  });

test.before.each(async (context) => {
  context.first = await server();
  context.second = await server();
  context.outbound = reachingLoopback();
  context.sandbox = startSandbox({ outbound: context.outbound });
});
test.after.each(async ({ first, second, outbound, sandbox }) => {
  await sandbox.close();
  await outbound.close();
  await Promise.all([first.close(), second.close()]);
});

const secrets = { authorization: 'Bearer abc', 'x-api-key': 'key-of-provider', cookie: 'a=b' };

/** What a library in code is answered, when it follows redirects as it does by itself. */
const calling = `
  const headers = ${JSON.stringify({ ...secrets, 'x-plain': 'plain' })};
  const https = require('https');
  const byHand = (url) => new Promise((done, fail) => {
    https.get(url, { headers }, (response) => {
      const { location } = response.headers;
      if (location) { response.resume(); byHand(new URL(location, url).href).then(done, fail); return; }
      let text = '';
      response.on('data', (chunk) => { text += chunk; }).on('end', () => done(text));
    }).on('error', fail);
  });
  const by = {
    fetch: (url) => require('node-fetch')(url, { headers }).then((r) => r.text()),
    axios: (url) => require('axios').get(url, { headers, transformResponse: (text) => text }).then((r) => r.data),
    https: byHand,
  };
  module.exports = async ({ args }) => {
    const seen = [];
    for (const url of args.urls) seen.push(JSON.parse(await by[args.library](url)));
    return { raw: seen };
  };`;

const names = [...Object.keys(secrets), 'x-plain'];
const secretsIn = (headers: Record<string, unknown>): string[] => names.filter((name) => name in headers);
const to = (location: string): string => `/to/${encodeURIComponent(location)}`;

async function seenBy({ sandbox }: Context, library: string, urls: readonly string[]): Promise<string[][]> {
  const seen = (await sandbox.rawOf(calling, { library, urls })) as Record<string, unknown>[];
  return seen.map(secretsIn);
}

for (const library of ['fetch', 'axios', 'https']) {
  test(`given secret headers, when ${library} follows redirects, then another origin gets none of them`, async (context) => {
    const first = `https://shop.example:${context.first.port}`;
    const port = `https://shop.example:${context.second.port}`;
    const host = `https://other.example:${context.first.port}`;
    const seen = await seenBy(context, library, [
      first + to('/here'),
      // Another port, another host, and on from there.
      first + to(`${port}/there`),
      first + to(`${host}/there`),
      first + to(port + to('/there')),
      first + to(port + to(`${host}/there`)),
      // The origin that had them from the code itself may have them again; libraries may still drop some.
      first + to(port + to(`${first}/back`)),
      `${first}/again`,
    ]);
    const [here, ...elsewhere] = seen;
    const [back, again] = elsewhere.splice(-2);
    assert.equal([here, again], [names, names]);
    assert.equal(
      elsewhere,
      Array.from({ length: 4 }, () => ['x-plain']),
    );
    assert.ok(back?.includes('x-api-key'));
  });
}

test('given a spelling that programs read differently, when it is followed by hand, then nobody gets secrets', async (context) => {
  const first = `https://shop.example:${context.first.port}`;
  const second = `https://other.example:${context.second.port}`;
  const location = `https:\\\\other.example:${context.second.port}/there`;
  assert.equal(await seenBy(context, 'https', [first + to(location), `${second}/there`]), [
    ['x-plain'],
    ['x-plain'],
  ]);
});

test('given calls without a redirect between them, then each origin gets what code gives it', async (context) => {
  const urls = [context.first, context.second].map(({ port }) => `https://shop.example:${port}/`);
  assert.equal(await seenBy(context, 'https', urls), [names, names]);
});

test.run();
