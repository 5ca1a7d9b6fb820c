import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Node = Record<string, unknown>;
type Token = Node & { id: string };
type Operation = { responses: Record<string, { content?: Record<string, { schema: Node }> }> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Node>; parameters: Record<string, Node> };
};

const published = suite<{ service: VaultService; document: Document }>(
  'answers of tokens as they are published',
);

published.before(async (context) => {
  context.service = await startVaultService();
  context.document = (await context.service.call<Document>('GET', '/openapi.json')).body;
});
published.after(({ service }) => service.close());

/** A schema on its own that knows every property: references replaced, further properties refused. */
function closed(document: Document, node: unknown): unknown {
  if (Array.isArray(node)) return node.map((item) => closed(document, item));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...schema } = node as Node;
  if (typeof $ref === 'string') {
    return closed(document, document.components.schemas[$ref.split('/').at(-1) ?? '']);
  }
  const members = Object.entries(schema).map(([name, member]) => [name, closed(document, member)]);
  return {
    ...Object.fromEntries(members),
    ...('properties' in schema && !('additionalProperties' in schema) ? { additionalProperties: false } : {}),
  };
}

/** Sends a request, and looks at the answer through the schema that its operation publishes for its status. */
async function answered<Body = Token>(
  { service, document }: { service: VaultService; document: Document },
  status: number,
  [method, path, at]: readonly [method: string, path: string, at?: string],
  body?: unknown,
  key?: string,
): Promise<Body> {
  const reply = await service.call<Body>(method, at ?? path, body, key === undefined ? {} : { key });
  const what = `${method} ${path} ${JSON.stringify(reply.body)}`;
  assert.is(reply.status, status, what);
  const response = document.paths[path]?.[method.toLowerCase()]?.responses[String(status)];
  assert.ok(response, `${what} is not published`);
  const [content] = Object.values(response.content ?? {});
  if (content === undefined) {
    assert.equal(reply.body, {});
    return reply.body;
  }
  const errors = Compile(Type.Unsafe(closed(document, content.schema) as object)).Errors(reply.body);
  assert.equal(errors, [], what);
  return reply.body;
}

const card = { number: '4242424242424242', expiration_month: 12, expiration_year: 2030, cvc: '123' };

published(
  'given every operation on tokens, when it succeeds, then its answer is as published',
  async (context) => {
    const made = await answered(context, 201, ['POST', '/tokens'], {
      type: 'card',
      data: card,
      metadata: { customer: 'Ada' },
      search_indexes: ['{{ data.number }}'],
      expires_at: '9/27/2045',
    });
    const bare = await answered(context, 201, ['POST', '/tokens'], {
      type: 'token',
      data: [1, null],
      mask: null,
    });
    const one = `/tokens/${made.id}`;
    await answered(context, 200, ['PATCH', '/tokens/{id}', one], { data: { expiration_month: 1 } });
    await answered(context, 200, ['GET', '/tokens/{id}', one]);
    const { management } = context.service.keys;
    await answered(context, 200, ['GET', '/tokens/{id}/history', `${one}/history`], undefined, management);
    await answered(context, 200, ['GET', '/tokens', '/tokens?size=1']);
    await answered(context, 200, ['GET', '/v2/tokens', '/v2/tokens?size=1']);
    await answered(context, 200, ['POST', '/tokens/search'], { query: 'type:card' });
    await answered(context, 200, ['POST', '/v2/tokens/search'], { size: 1 });
    await answered(context, 200, ['POST', '/tokenize'], { name: 'Ada', card: { type: 'card', data: card } });
    await answered(context, 200, ['POST', '/detokenize'], { whole: `{{ token: ${made.id} }}` });
    await answered(context, 204, ['DELETE', '/tokens/{id}', `/tokens/${bare.id}`]);
  },
);

published(
  'given a token that only its creator may read, when another one makes it again, then that answer is published',
  async (context) => {
    const key = await context.service.ruledKey({
      container: '/',
      permissions: ['token:create', 'token:update'],
    });
    const data = { number: '5555555555554444' };
    const made = await answered(context, 201, ['POST', '/tokens'], { type: 'card', data });
    const again = { type: 'card', data, deduplicate_token: true };
    const known = await answered(context, 201, ['POST', '/tokens'], again, key);
    assert.equal(Object.keys(known).sort(), ['containers', 'fingerprint', 'id', 'tenant_id', 'type']);
    assert.is(known.id, made.id);
    const other = await answered(context, 201, ['POST', '/tokens'], { type: 'card', data: card });
    const patch = { data, deduplicate_token: true };
    const twin = await answered(context, 200, ['PATCH', '/tokens/{id}', `/tokens/${other.id}`], patch, key);
    assert.equal(twin, known);
  },
);

published('given refusals, when they are answered, then each is a problem as published', async (context) => {
  const { keys } = context.service;
  await answered(context, 400, ['POST', '/tokens'], { type: 'card', data: {} });
  await answered(context, 401, ['GET', '/tokens'], undefined, 'nobody');
  await answered(context, 403, ['GET', '/tokens'], undefined, keys.management);
  await answered(context, 404, ['GET', '/tokens/{id}', '/tokens/nobody']);
  await answered(context, 201, ['POST', '/tokens'], { type: 'token', data: 1, id: 'taken' });
  await answered(context, 409, ['POST', '/tokens'], { type: 'token', data: 1, id: 'taken' });
  await answered(context, 413, ['POST', '/tokens'], { type: 'token', data: 'x'.repeat(1_100_000) });
  await answered(context, 400, ['POST', '/tokens/search'], { query: 'data' });
  await answered(context, 400, ['POST', '/detokenize'], { a: '{{ nobody }}' });
});

published('given the schema of new tokens, then it says what bounds them', async ({ document, service }) => {
  const schema = JSON.stringify(document.paths['/tokens']?.['post']);
  for (const said of [
    '"minLength":3,"maxLength":400',
    '# / \\\\ + ? [ ] | & = % < > { } ^',
    '"maxLength":200',
    '32,768 characters',
    '500 expressions',
  ]) {
    assert.ok(schema.includes(said), said);
  }
  assert.match(String(document.components.parameters['trace']?.['description']), /replaced/);
  const trace = async (given: string) =>
    (await service.call('GET', '/tokens', undefined, { headers: { 'BT-TRACE-ID': given } })).headers.get(
      'BT-TRACE-ID',
    );
  assert.is(await trace('t'.repeat(200)), 't'.repeat(200));
  assert.match(String(await trace('t'.repeat(201))), /^[0-9a-f-]{36}$/);
});

published.run();
