import Type from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openApiDocument } from '#http/openapi/document.ts';
import { defineRoute } from '#http/route.ts';
import { thingRoutes } from '#test/http/support/routes.ts';
import { startService } from '#test/http/support/service.ts';

const test = suite('http: OpenAPI');
const service = await startService(thingRoutes);
const { body: document } = await service.call('GET', '/openapi.json', { headers: { 'BT-API-KEY': '' } });

test('given the service, then its document is OpenAPI 3.1 at the public address', () => {
  assert.is(document.openapi, '3.1.0');
  assert.equal(document.servers, [{ url: 'http://localhost:3000' }]);
  assert.equal(document.security, [{ key: [] }]);
  assert.equal(document.components.securitySchemes.key, { type: 'apiKey', in: 'header', name: 'BT-API-KEY' });
});

test('given the routes, then each is there, and those of the system are not', () => {
  assert.equal(Object.keys(document.paths).sort(), [
    '/small',
    '/things',
    '/things/own',
    '/things/{id}',
    '/things/{id}/renew',
  ]);
  assert.equal(Object.keys(document.paths['/things/{id}']).sort(), ['delete', 'get', 'patch']);
});

test('given a route with a body, then its schema is the one that validates', () => {
  const { post } = document.paths['/things'];
  assert.is(post.operationId, 'postThings');
  assert.is(post['x-permission'], 'token:create');
  assert.equal(post.requestBody, {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/CreateThing' } } },
  });
  const schema = document.components.schemas.CreateThing;
  assert.equal(schema.required, ['type', 'data']);
  assert.equal(schema.properties.name, { type: 'string', minLength: 1, maxLength: 200 });
  assert.is(schema.$id, undefined);
});

test('given a merge patch, then its content type', () => {
  const { patch } = document.paths['/things/{id}'];
  assert.equal(Object.keys(patch.requestBody.content), ['application/merge-patch+json']);
});

test('given parameters, then path, query and headers', () => {
  const { parameters } = document.paths['/things'].get;
  assert.equal(
    parameters.map((parameter: Record<string, unknown>) => parameter['name'] ?? parameter['$ref']),
    ['id', 'name', 'active', 'metadata', 'page', 'size', '#/components/parameters/trace'],
  );
  assert.equal(parameters[3].style, 'deepObject');
  assert.is(parameters[4].required, false);
  const [id, , , idempotencyKey] = document.paths['/things/{id}'].patch.parameters;
  assert.equal(id, { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } });
  assert.equal(idempotencyKey, { $ref: '#/components/parameters/idempotencyKey' });
});

test('given a route, then its answers and its problems', () => {
  const { responses } = document.paths['/things'].post;
  assert.equal(Object.keys(responses), [
    '201',
    '400',
    '401',
    '403',
    '409',
    '413',
    '415',
    '429',
    '500',
    '503',
  ]);
  assert.equal(responses['201'].content['application/json'].schema, { $ref: '#/components/schemas/Thing' });
  assert.equal(responses['403'].content['application/problem+json'].schema, {
    $ref: '#/components/schemas/Problem',
  });
  assert.is(document.paths['/things/{id}'].delete.responses['204'].content, undefined);
  assert.ok('404' in document.paths['/things/{id}'].delete.responses);
});

test('given references, then each leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  assert.ok(references.length > 10);
  for (const path of references) {
    const target = path.split('/').reduce((at, segment) => at?.[segment], document);
    assert.ok(target, path);
  }
});

test('given operations, then their ids are unique', () => {
  const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  assert.is(new Set(ids).size, ids.length);
});

test('given names and data that look like keywords, then they stay', () => {
  const odd = defineRoute({
    method: 'POST',
    path: '/odd',
    summary: 'Odd names',
    tags: [],
    body: Type.Object({
      expected: Type.String({ expected: 'something' }),
      $id: Type.String({ examples: [{ $id: 'kept', expected: 1 }] }),
    }),
    responses: { 200: null },
    handle: () => Promise.resolve({ status: 200 }),
  });
  const text = JSON.stringify(openApiDocument([odd], 'http://localhost'));
  assert.ok(
    text.includes(
      '"expected":{"type":"string"},"$id":{"type":"string","examples":[{"$id":"kept","expected":1}]}',
    ),
    text,
  );
});

test.after(() => service.close());
test.run();
