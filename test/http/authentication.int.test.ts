import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { thingRoutes } from '#test/http/support/routes.ts';
import { readerKey, ruledKey, startService } from '#test/http/support/service.ts';
import { StoreUnavailable } from '#ports/readModels.ts';

const test = suite('http: authentication and permissions');
const service = await startService(thingRoutes);
const thing = { type: 'token', data: 1 };

test('given no key, when a route is called, then 401 with a problem body', async () => {
  const response = await fetch(`${service.url}/things`);
  const problem = await response.json();
  assert.is(response.status, 401);
  assert.is(response.headers.get('content-type'), 'application/problem+json');
  assert.is(response.headers.get('www-authenticate'), 'BT-API-KEY');
  assert.equal(problem, {
    title: 'Unauthorized',
    status: 401,
    detail: 'The BT-API-KEY header must carry the key of an application.',
  });
});

test('given unknown and empty keys, then the answer is the same as without one', async () => {
  const without = await (await fetch(`${service.url}/things`)).text();
  for (const unknown of ['key_unknown', '', ' ', 'x'.repeat(5_000)]) {
    const answered = await service.call('GET', '/things', { headers: { 'BT-API-KEY': unknown } });
    assert.is(answered.status, 401);
    assert.is(answered.text, without);
  }
});

test('given a key without the permission, then 403 names it', async () => {
  const answered = await service.call('POST', '/things', {
    body: thing,
    headers: { 'BT-API-KEY': readerKey },
  });
  assert.is(answered.status, 403);
  assert.equal(answered.body, {
    title: 'Forbidden',
    status: 403,
    detail: 'The application lacks the permission token:create.',
  });
});

test('given a rule that grants the permission, then the route is open', async () => {
  const answered = await service.call('POST', '/things', {
    body: thing,
    headers: { 'BT-API-KEY': ruledKey },
  });
  assert.is(answered.status, 201);
});

test('given several faults, then 401 comes before 403, 415 and 400', async () => {
  const wrong = { body: 'no json', headers: { 'Content-Type': 'text/plain' } };
  const status = async (key: string): Promise<number> =>
    (await service.call('POST', '/things', { ...wrong, headers: { ...wrong.headers, 'BT-API-KEY': key } }))
      .status;
  assert.is(await status('key_unknown'), 401);
  assert.is(await status(readerKey), 403);
  assert.is(await status(ruledKey), 415);
});

test('given a directory that cannot be reached, then 503 and not 401', async () => {
  const down = await startService(thingRoutes, {
    accessDirectory: { find: () => Promise.reject(new StoreUnavailable('the database cannot be reached')) },
  });
  const answered = await down.call('GET', '/things');
  await down.close();
  assert.is(answered.status, 503);
  assert.is(answered.headers.get('retry-after'), '1');
});

test.after(() => service.close());
test.run();
