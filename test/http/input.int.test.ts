import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { thingRoutes } from '#test/http/support/routes.ts';
import { startService } from '#test/http/support/service.ts';
import type { Answered } from '#test/http/support/service.ts';

const test = suite('http: bad input');
const service = await startService(thingRoutes);
const post = (body: unknown, headers: Record<string, string> = {}): Promise<Answered> =>
  service.call('POST', '/things', { body, headers });
const patch = (contentType: string | undefined, body: string | undefined): Promise<Answered> =>
  service.call('PATCH', '/things/11111111-1111-4111-8111-111111111111', {
    body,
    headers: contentType === undefined ? {} : { 'Content-Type': contentType },
  });

const refused = (answered: Answered, errors: Record<string, string[]>): void => {
  assert.is(answered.status, 400);
  assert.is(answered.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(answered.body, {
    title: 'One or more validation errors occurred.',
    status: 400,
    detail: 'The inputs supplied to the API are invalid',
    errors,
  });
};

test('given malformed JSON, then 400 says where, and quotes nothing', async () => {
  const answered = await post('{"type":"card","data":4242424242424242x}');
  refused(answered, { body: ['must be valid JSON; it is not at character 38'] });
  for (const malformed of ['{', 'nothing', '{"a":1,}', "{'a':1}", '[1', '"\n"', ' ', '\0', '\ufeff']) {
    const { status, body } = await post(malformed);
    assert.is(status, 400, malformed);
    assert.match(body.errors.body[0], /^must be valid JSON/);
  }
});

test('given an empty body where one is required, then 400', async () => {
  refused(await post(''), { body: ['is required, as JSON'] });
  refused(await service.call('POST', '/things'), { body: ['is required, as JSON'] });
});

test('given a body that is not an object, then 400', async () => {
  for (const body of ['[]', '1', 'null', '"text"']) {
    refused(await post(body), { body: ['must be an object'] });
  }
});

test('given a wrong content type, then 415', async () => {
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/merge-patch+json',
    'text/json',
  ];
  for (const type of [...types, 'application/json; charset=utf-16', 'application/jsonx', ';']) {
    const answered = await post('{"type":"token","data":1}', { 'Content-Type': type });
    assert.is(answered.status, 415, type);
    assert.equal(answered.body, {
      title: 'Unsupported Media Type',
      status: 415,
      detail: 'The Content-Type must be application/json.',
    });
  }
});

test('given a content type with parameters, in any case, then it is taken', async () => {
  for (const type of [
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json;v=1',
  ]) {
    assert.is((await post('{"type":"token","data":1}', { 'Content-Type': type })).status, 201, type);
  }
});

test('given a patch, then only merge-patch is taken, with or without parameters', async () => {
  assert.is((await patch('application/merge-patch+json', '{}')).status, 200);
  assert.is((await patch('application/merge-patch+json; charset=utf-8', '{}')).status, 200);
  assert.is((await patch('application/json', '{}')).status, 415);
  assert.is((await patch('application/json-patch+json', '[]')).status, 415);
  assert.is((await patch(undefined, undefined)).status, 415);
});

test('given a bodyless route, then any content type and any body without members are tolerated', async () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  assert.is((await service.call('POST', '/things/1/renew', { headers: form })).status, 200);
  assert.is((await service.call('POST', '/things/1/renew')).status, 200);
  assert.is((await service.call('POST', '/things/1/renew', { body: {} })).status, 200);
  assert.is((await service.call('POST', '/things/1/renew', { body: '{"not' })).status, 200);
  assert.is((await service.call('POST', '/things/1/renew')).text, '');
  refused(await service.call('POST', '/things/1/renew', { body: '{"for":1}' }), {
    for: ['is not a property that is known here'],
  });
});

test('given a 200,000-deep body, then 400 names the depth', async () => {
  const deep = { body: ['must be nested to a depth of at most 64 levels'] };
  const depth = 200_000;
  refused(await post(`${'['.repeat(depth)}${']'.repeat(depth)}`), deep);
  refused(await post('['.repeat(depth)), deep);
  refused(await post(`{"type":"token","data":${'{"a":'.repeat(depth / 2)}1${'}'.repeat(depth / 2)}}`), deep);
});

test('given 64 levels, then they are taken; 65 are not; brackets in strings do not count', async () => {
  const nested = (levels: number): string =>
    `{"type":"token","data":${'['.repeat(levels - 1)}"[{\\"[["${']'.repeat(levels - 1)}}`;
  assert.is((await post(nested(64))).status, 201);
  assert.is((await post(nested(65))).status, 400);
  assert.is((await post({ type: 'token', data: '['.repeat(1_000) })).status, 201);
});

test('given __proto__ keys, then they are data, and never a prototype', async () => {
  const data = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1}';
  const answered = await post(`{"type":"token","data":${data},"__proto__":{"type":"x"}}`);
  assert.is(answered.status, 201);
  assert.ok(answered.text.includes(`"data":${data}`));
  assert.is(Reflect.get({}, 'polluted'), undefined);
});

test('given a required property only in __proto__, then it is missing', async () => {
  refused(await post('{"__proto__":{"type":"token","data":1}}'), {
    type: ['is required'],
    data: ['is required'],
  });
});

test('given a wrong value under __proto__, then its path is named', async () => {
  refused(await post('{"type":"token","data":1,"metadata":{"__proto__":1,"a\\nb":2}}'), {
    'metadata.__proto__': ['must be a string'],
    'metadata.a\nb': ['must be a string'],
  });
});

test('given NUL characters, then 400 names each path', async () => {
  refused(await post({ type: 'to\0ken', data: { list: ['a', '\0'] }, metadata: { 'a\0': 'b' } }), {
    type: ['must not hold a NUL character'],
    'data.list[1]': ['must not hold a NUL character'],
    metadata: ['has a property whose name must not hold a NUL character'],
  });
});

test('given lone surrogates, then 400 names each path; whole pairs are taken', async () => {
  const text = '{"type":"token","data":{"a":"\\ud800","\\udc00":1,"b":["\\ud83d\\ude00"]}}';
  refused(await post(text), {
    'data.a': ['must not hold half of a surrogate pair'],
    data: ['has a property whose name must not hold half of a surrogate pair'],
  });
});

test('given a number out of range, then 400 and not null', async () => {
  refused(await post('{"type":"token","data":{"a":1e999}}'), {
    'data.a': ['must be a number within the range of a double'],
  });
});

test('given more faults than a reader takes in, then the list ends', async () => {
  const answered = await post({ type: 'token', data: Array.from({ length: 5_000 }, () => '\0') });
  assert.is(Object.keys(answered.body.errors).length, 100);
});

test('given invalid UTF-8, then 400', async () => {
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
    const body = Buffer.concat([Buffer.from('{"type":"'), Buffer.from(bytes), Buffer.from('","data":1}')]);
    refused(await post(body), { body: ['must be encoded in UTF-8'] });
  }
});

test('given equal keys, then the last one counts, as for JSON.parse', async () => {
  const answered = await post('{"type":"token","data":1,"data":2}');
  assert.is(answered.body.data, 2);
});

test('given a body over the limit, then 413, with a length and without', async () => {
  const large = JSON.stringify({ type: 'token', data: 'x'.repeat(1_048_576) });
  const answered = await post(large);
  assert.is(answered.status, 413);
  assert.equal(answered.body, {
    title: 'Payload Too Large',
    status: 413,
    detail: 'The request body must be at most 1048576 bytes long.',
  });
  const chunked = await service.raw(
    'POST /small HTTP/1.1\r\nHost: x\r\nConnection: close\r\nBT-API-KEY: key_test_private\r\n' +
      `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nc8\r\n"${'x'.repeat(198)}"\r\n0\r\n\r\n`,
  );
  assert.match(chunked, /^HTTP\/1\.1 413 /);
});

test('given a body of just the limit, then it is taken', async () => {
  const largest = JSON.stringify('x'.repeat(98));
  assert.is((await service.call('POST', '/small', { body: largest })).status, 200);
  assert.is((await service.call('POST', '/small', { body: `${largest} ` })).status, 413);
});

test('given a compressed body, then the limit holds for what comes out of it', async () => {
  const gzip = { 'Content-Encoding': 'gzip' };
  assert.is((await post(gzipSync('{"type":"token","data":1}'), gzip)).status, 201);
  assert.is((await post(gzipSync(JSON.stringify('x'.repeat(5_000_000))), gzip)).status, 413);
  refused(await post('{"type":"token","data":1}', gzip), { body: ['cannot be decompressed'] });
  assert.is((await post('{}', { 'Content-Encoding': 'rot13' })).status, 415);
});

test('given faults in path, query and body, then all are named at once', async () => {
  const answered = await service.call('PATCH', '/things/one?size=x', {
    body: { name: 1 },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  refused(answered, {
    name: ['must be a string'],
    id: ['must be a UUID'],
    size: ['must be a whole number from 1 to 100'],
  });
});

test('given unknown properties, then they are tolerated', async () => {
  assert.is((await post({ type: 'token', data: null, privacy: {} })).status, 201);
});

test.after(() => service.close());
test.run();
