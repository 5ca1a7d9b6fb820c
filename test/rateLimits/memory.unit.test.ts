import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMemoryRateLimiter } from '#infra/rateLimits/memory.ts';
import { standardRateLimits } from '#src/rateLimits.ts';

const test = suite('counting requests in memory');

const limits = { ...standardRateLimits, global: 3, token_list: 1 };
const now = Date.now;

test.after.each(() => {
  Date.now = now;
});

test('given clients and scopes, then each has a counter of its own', async () => {
  const { count } = createMemoryRateLimiter(limits);
  assert.equal(await count('global', 'a'), { allowed: true, remaining: 2, milliseconds: 10_000 });
  assert.is((await count('global', 'a')).remaining, 1);
  assert.is((await count('global', 'b')).remaining, 2);
  assert.is((await count('token_list', 'a')).remaining, 0);
  const refused = await count('token_list', 'a');
  assert.equal(refused, { allowed: false, remaining: 0, milliseconds: 10_000 });
  assert.is((await count('global', 'a')).allowed, true);
});

test('given requests at once, then as many are allowed as the limit says', async () => {
  const { count } = createMemoryRateLimiter(limits);
  const standings = await Promise.all(Array.from({ length: 20 }, () => count('global', 'a')));
  assert.is(standings.filter(({ allowed }) => allowed).length, 3);
});

test('given a clock that is set back, then nobody waits longer than before', async () => {
  const { count } = createMemoryRateLimiter(limits);
  await count('token_list', 'a');
  await count('token_list', 'a');
  Date.now = () => now() - 3_600_000;
  const refused = await count('token_list', 'a');
  assert.not(refused.allowed);
  assert.ok(refused.milliseconds <= 10_000);
});

test('given a clock that is set forward, then counters start anew and hold again', async () => {
  const { count } = createMemoryRateLimiter(limits);
  await count('token_list', 'a');
  Date.now = () => now() + 3_600_000;
  assert.ok((await count('token_list', 'a')).allowed);
  assert.not((await count('token_list', 'a')).allowed);
});

test('given more clients than are remembered, then the one seen first is forgotten and no other', async () => {
  const { count } = createMemoryRateLimiter(limits, 100);
  for (let client = 0; client <= 100; client++) await count('token_list', `client ${client}`);
  assert.not((await count('token_list', 'client 1')).allowed);
  assert.not((await count('token_list', 'client 100')).allowed);
  assert.ok((await count('token_list', 'client 0')).allowed);
});

test.run();
