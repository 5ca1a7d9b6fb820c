import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { destinationListsOf, isAllowedDestination } from '#src/destinations.ts';
import { outcomeOf, reachingLoopback } from '#test/outbound/support/guard.ts';
import { serveTls } from '#test/outbound/support/servers.ts';

const test = suite('outbound: destinations that are allowed');

test('given lists, then a host must be in each, by its name or below a wildcard', () => {
  const lists = destinationListsOf(
    {
      allowed_destinations: 'API.example.com, *.Example.org,bücher.example',
      'allowed_destinations:a': 'x.example.org',
    },
    [],
  );
  const isAllowed = (url: string) => isAllowedDestination(lists, new URL(url));
  for (const url of [
    'https://api.example.com/x',
    'https://API.EXAMPLE.COM.:8443',
    'https://a.example.org',
    'https://a.b.example.org',
    'https://xn--bcher-kva.example',
  ]) {
    assert.ok(isAllowed(url), url);
  }
  for (const url of [
    'https://example.com',
    'https://x.api.example.com',
    'https://example.org',
    'https://badexample.org',
    'https://api.example.com.evil.example',
    'https://8.8.8.8',
  ]) {
    assert.not.ok(isAllowed(url), url);
  }
  const both = destinationListsOf(
    { allowed_destinations: '*.org', 'allowed_destinations:a': 'x.example.org' },
    ['a', 'b'],
  );
  assert.ok(isAllowedDestination(both, new URL('https://x.example.org')));
  assert.not.ok(isAllowedDestination(both, new URL('https://y.example.org')));
  assert.ok(isAllowedDestination(destinationListsOf(undefined, ['a']), new URL('https://any.example')));
});

test('given a list, when redirects are followed, then no hop leaves it', async () => {
  const server = await serveTls((request, response) => {
    const location = `https://other.example:${server.port}/there`;
    if (request.url === '/away') response.writeHead(307, { location }).end();
    else response.end('arrived');
  });
  const outbound = reachingLoopback();
  const call = (destinations: string[][]) =>
    outcomeOf(outbound, {
      url: `https://shop.example:${server.port}/away`,
      followRedirects: true,
      destinations,
    });
  assert.is(await call([['shop.example']]), 'OutboundRefused destination');
  assert.is(server.seen.length, 1);
  assert.is(await call([['*.example']]), '200 arrived');
  assert.is(await call([['other.example']]), 'OutboundRefused destination');
  await outbound.close();
  await server.close();
});

test.run();
