import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defineRoute } from '#http/route.ts';
import { LogUnavailable, UnknownOutcome } from '#ports/eventLog.ts';
import { StoreUnavailable } from '#ports/readModels.ts';
import * as errors from '#src/errors.ts';
import { startService } from '#test/http/support/service.ts';

const test = suite('http: problems, trace ids, log lines');

const thrown: Record<string, unknown> = {
  invalid: new errors.ValidationFailed({ 'data.number': ['must be a card number'] }),
  unauthenticated: new errors.Unauthenticated(),
  forbidden: new errors.Forbidden('Not in this container.'),
  missing: new errors.NotFound(),
  conflict: new errors.Conflicted('There is a token of this id.'),
  large: new errors.PayloadTooLarge(),
  type: new errors.UnsupportedMediaType(),
  unprocessable: new errors.Unprocessable('There are three keys.'),
  unavailable: new errors.Unavailable(),
  store: new StoreUnavailable('connection to 10.0.0.1 refused'),
  log: new LogUnavailable('connection to 10.0.0.1 refused'),
  unknown: new UnknownOutcome('time ran out'),
  bug: new TypeError('cannot read 4242424242424242'),
  text: 'a string',
};

const throwing = defineRoute({
  method: 'POST',
  path: '/throw/:what',
  summary: 'Throw',
  tags: [],
  body: Type.Unknown(),
  responses: { 200: null },
  handle: ({ params }) => {
    throw thrown[params.what];
  },
});
const service = await startService([throwing]);
const problemOf = (what: string) =>
  service.call('POST', `/throw/${what}`, { body: { secret: '5555555555554444' } });

test('given each error, then one status, and always title, status and detail', async () => {
  const expected: Record<string, [number, string]> = {
    invalid: [400, 'One or more validation errors occurred.'],
    unauthenticated: [401, 'Unauthorized'],
    forbidden: [403, 'Forbidden'],
    missing: [404, 'Not Found'],
    conflict: [409, 'Conflict'],
    large: [413, 'Payload Too Large'],
    type: [415, 'Unsupported Media Type'],
    unprocessable: [422, 'Unprocessable Entity'],
    unavailable: [503, 'Service Unavailable'],
    store: [503, 'Service Unavailable'],
    log: [503, 'Service Unavailable'],
    unknown: [503, 'Service Unavailable'],
    bug: [500, 'Internal Server Error'],
    text: [500, 'Internal Server Error'],
  };
  for (const [what, [status, title]] of Object.entries(expected)) {
    const { status: actual, body, headers } = await problemOf(what);
    assert.is(actual, status, what);
    assert.is(body.status, status);
    assert.is(body.title, title);
    assert.ok(body.detail.length > 10, what);
    assert.is(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.is(headers.get('retry-after'), status === 503 ? '1' : null);
  }
});

test('given messages of refusals, then they are the detail; of failures, they are not passed on', async () => {
  assert.is((await problemOf('conflict')).body.detail, 'There is a token of this id.');
  assert.equal((await problemOf('invalid')).body.errors, { 'data.number': ['must be a card number'] });
  assert.not.match((await problemOf('store')).text, /10\.0\.0\.1/);
  assert.match((await problemOf('unknown')).body.detail, /same BT-IDEMPOTENCY-KEY/);
});

test('given an unexpected error, then it is logged with its place, and without any value', async () => {
  service.lines.length = 0;
  await problemOf('bug');
  const [line] = service.lines.filter(({ level }) => level === 'error');
  const logged = JSON.stringify(line);
  assert.match(logged, /TypeError/);
  assert.match(logged, /problems\.int\.test\.ts/);
  assert.not.match(JSON.stringify(service.lines), /4242424242424242|5555555555554444/);
});

test('given a failure of what the service stands on, then a warning', async () => {
  service.lines.length = 0;
  await problemOf('store');
  assert.equal(
    service.lines.map(({ level }) => level),
    ['warn', 'debug'],
  );
});

test('given refusals, then nothing above debug is logged', async () => {
  service.lines.length = 0;
  await problemOf('missing');
  assert.equal(
    service.lines.map(({ level, message }) => [level, message]),
    [['debug', 'request']],
  );
});

test('given a request, then one line with the pattern, never the path, the query or a body', async () => {
  service.lines.length = 0;
  await service.call('POST', '/throw/4242424242424242?page=4242424242424242', { body: '4242424242424242' });
  const line = service.lines.find(({ message }) => message === 'request');
  const fields = { ...line?.fields } as Record<string, unknown>;
  assert.is(fields['method'], 'POST');
  assert.is(fields['route'], '/throw/:what');
  assert.is(fields['status'], 500);
  assert.type(fields['ms'], 'number');
  assert.is(fields['tenant_id'], '11111111-1111-4111-8111-111111111111');
  assert.is(fields['application_id'], '22222222-2222-4222-8222-222222222221');
  assert.not.match(JSON.stringify(service.lines), /4242424242424242/);
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const traced = async (given?: string): Promise<string | null> => {
  const headers: Record<string, string> = given === undefined ? {} : { 'BT-TRACE-ID': given };
  return (await service.call('GET', '/nothing', { headers })).headers.get('bt-trace-id');
};
const loggedTrace = (): unknown => Reflect.get(service.lines.at(-1)?.fields ?? {}, 'trace_id');

test('given no trace id, then a new uuid', async () => {
  const first = await traced();
  assert.match(first ?? '', uuid);
  assert.is(loggedTrace(), first);
  assert.is.not(await traced(), first);
});

test('given a uuid, then it is the trace id, inside and out', async () => {
  const given = 'C56A4180-65AA-42EC-A945-5FD21DEC0538';
  assert.is(await traced(given), given);
  assert.is(loggedTrace(), given.toLowerCase());
});

test('given another value, then it is echoed, and inside is a uuid', async () => {
  assert.is(await traced('order 42 / retry'), 'order 42 / retry');
  assert.match(String(loggedTrace()), uuid);
});

test('given a value that is too long or not visible, then a new uuid', async () => {
  assert.match((await traced('x'.repeat(201))) ?? '', uuid);
  assert.match((await traced('caf\u00e9')) ?? '', uuid);
  assert.is((await traced('x'.repeat(200)))?.length, 200);
});

test('given any answer, then nothing may keep it', async () => {
  const { headers } = await problemOf('missing');
  assert.is(headers.get('cache-control'), 'no-store');
  assert.is(headers.get('x-content-type-options'), 'nosniff');
});

test.after(() => service.close());
test.run();
