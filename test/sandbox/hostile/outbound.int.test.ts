import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startSandbox } from '#test/sandbox/hostile/support/sandboxes.ts';
import type { TestSandbox } from '#test/sandbox/hostile/support/sandboxes.ts';
import { fakeResolver, publicAddress, reachingLoopback } from '#test/outbound/support/guard.ts';
import { serveTcp, serveTls } from '#test/outbound/support/servers.ts';
import { oddHosts, oddUrls, spellingsOf } from '#test/outbound/support/spellings.ts';

const test = suite('hostile: outbound');

/** Calls each URL with each library, some at a time, and tells how it went. */
const calling = `
  const https = require('https'), fetch = require('node-fetch'), axios = require('axios');
  const by = {
    https: (url) => new Promise((done, fail) => https.get(url, (r) => { r.resume(); done(r.statusCode) }).on('error', fail)),
    options: (url) => new Promise((done, fail) => {
      const [, host, port] = /^https?:[/]{2}(.*):(\\d+)[/]$/s.exec(url) || [];
      https.request({ host, hostname: host, port, path: '/', servername: 'shop.example', headers: { Host: 'shop.example' } },
        (r) => { r.resume(); done(r.statusCode) }).on('error', fail).end();
    }),
    fetch: (url) => fetch(url).then((r) => r.status),
    axios: (url) => axios.get(url).then((r) => r.status),
  };
  module.exports = async ({ args }) => {
    const results = [];
    const waiting = args.urls.map((url, index) => [index, url]);
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        results[next[0]] = await by[args.library](next[1]).then(String, (e) => 'failed ' + (e.code || e.name));
    };
    await Promise.all(Array.from({ length: 20 }, work));
    return { raw: results };
  };`;

async function resultsOf(sandbox: TestSandbox, library: string, urls: readonly string[]): Promise<string[]> {
  return (await sandbox.rawOf(calling, { library, urls })) as string[];
}

const octets = [
  [127, 0, 0, 1],
  [169, 254, 169, 254],
  [10, 1, 2, 3],
] as const;
/** Parsers of code make public addresses of some: with credentials, or with what they cut off. */
const forbidden = [...octets.flatMap(spellingsOf), ...oddHosts].filter((host) => !host.includes('8.8.8.8'));

for (const library of ['https', 'options', 'fetch', 'axios']) {
  test(`given forbidden addresses in every spelling, when code calls them by ${library}, then it gets errors, and nobody is connected to`, async () => {
    const server = await serveTcp((socket) => socket.end());
    const resolver = fakeResolver({});
    const outbound = reachingLoopback({ resolver });
    const sandbox = startSandbox({ outbound });
    const urls = [
      ...forbidden.map((host) => `https://${host}:${server.port}/`),
      ...oddUrls(server.port).filter((url) => !url.includes('8.8.8.8')),
    ];
    assert.ok(urls.length > 400, `${urls.length} URLs`);
    const results = await resultsOf(sandbox, library, urls);
    assert.is(results.length, urls.length);
    assert.equal(
      results.flatMap((result, index) => (result.startsWith('failed ') ? [] : [[urls[index], result]])),
      [],
    );
    assert.is(server.connections(), 0);
    await Promise.all([sandbox.close(), outbound.close(), server.close()]);
  });
}

test('given a name that leads elsewhere each time it is asked for, when code calls it, then only public answers count', async () => {
  const server = await serveTls((_, response) => response.end('{}'));
  const lists = [
    [publicAddress],
    ['127.0.0.1'],
    [publicAddress, '127.0.0.1'],
    ['::1'],
    ['169.254.169.254'],
    ['10.0.0.1', publicAddress],
  ];
  const resolver = fakeResolver({ 'shop.example': lists });
  const outbound = reachingLoopback({ resolver });
  const sandbox = startSandbox({ outbound });
  const url = `https://shop.example:${server.port}/`;
  const code = calling.replace('length: 20', 'length: 1');
  const results = await sandbox.rawOf(code, { library: 'fetch', urls: lists.map(() => url) });
  assert.equal(results, ['200', ...Array<string>(5).fill('failed EACCES')]);
  assert.is(resolver.asked.length, lists.length);
  assert.is(server.seen.length, 1);
  await Promise.all([sandbox.close(), outbound.close(), server.close()]);
});

test('given a public server that redirects, when libraries of code follow it inside, then they are refused', async () => {
  const inside = await serveTcp((socket) => socket.end());
  const targets = ['127.0.0.1', '[::1]', '2130706433', '169.254.169.254', 'localhost'];
  const server = await serveTls((request, response) => {
    const target = targets[Number(request.url?.slice(1))] ?? '';
    response.writeHead(307, { Location: `https://${target}:${inside.port}/` }).end();
  });
  const outbound = reachingLoopback();
  const sandbox = startSandbox({ outbound });
  const urls = targets.map((_, index) => `https://shop.example:${server.port}/${index}`);
  assert.equal(await resultsOf(sandbox, 'fetch', urls), Array(targets.length).fill('failed EACCES'));
  assert.is(server.seen.length, targets.length);
  const byAxios = await resultsOf(sandbox, 'axios', urls);
  assert.ok(
    byAxios.every((result) => result.startsWith('failed ')),
    byAxios.join(),
  );
  assert.is(inside.connections(), 0);
  await Promise.all([sandbox.close(), outbound.close(), server.close(), inside.close()]);
});

test('given a request larger than is let out, when code sends it, then that call fails, and no other one', async () => {
  const outbound = reachingLoopback();
  const sandbox = startSandbox({ outbound });
  const code = `const fetch = require('node-fetch');
    module.exports = (req) => fetch('https://shop.example:1/', { method: 'POST', body: 'x'.repeat(req.args.size) })
      .then(() => 0, (e) => ({ raw: e.code }));`;
  const sleeping = `module.exports = async () => { await new Promise((d) => setTimeout(d, 1000)); return { raw: 1 } };`;
  const beside = sandbox.rawOf(sleeping);
  assert.is(await sandbox.rawOf(code, { size: 9_000_000 }), 'EMSGSIZE');
  assert.is(await sandbox.rawOf(code, { size: 5_300_000 }), 'EMSGSIZE');
  assert.is(await beside, 1);
  await Promise.all([sandbox.close(), outbound.close()]);
});

test.run();
