import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { calls } from '#test/reactors/bt/support/calls.ts';
import { Realm } from '#test/reactors/bt/support/library.ts';
import type { Outcome, Sent } from '#test/reactors/bt/support/library.ts';
import { Original } from '#test/reactors/bt/support/original.ts';
import type { Canned, Received } from '#test/reactors/bt/support/original.ts';

const wire = suite('bt: what is sent and returned, next to basis-theory-js');

let original: Original;
let sent: Sent[] = [];
let canned: Canned = { status: 200 };
const realm = new Realm((kind, payload) => {
  assert.is(kind, 'bt');
  sent.push(JSON.parse(payload) as Sent);
  const answer = { status: canned.status, headers: { 'bt-trace-id': 'trace' }, body: canned.body };
  return Promise.resolve({ failed: false, payload: JSON.stringify(answer) });
});

wire.before(async () => {
  original = await Original.open();
});
wire.after(() => original.close());

const thing = {
  id: '1',
  tenant_id: 't',
  data: { some_key: { inner_key: 1 }, camelCase: 2 },
  metadata: { some_key: 'a', camelCase: 'b' },
  configuration: { some_key: 'a', SERVICE_KEY: 'b' },
  application: { created_by: 'x', rules: [{ deep_name: [[{ deeper_name: 1 }]] }], list: ['a_b'] },
  line_1_address: 1,
  line1_address: 2,
  alreadyCamel: 3,
  URLValue: 4,
  'dotted.name': 5,
  'with space-and-dash': 6,
  _leading: 7,
  a: 8,
  X: 9,
  'rules[0].some_name': 10,
  nothing: null,
};
const page = { pagination: { total_items: 1, page_size: 2 }, data: [thing, { ...thing, data: 'text' }] };
/** Intended: sessions have no configuration, which the original would leave alone in them as well. */
const session = { ...thing, configuration: undefined };
const problem = {
  title: 'One or more validation errors occurred.',
  status: 400,
  detail: 'x',
  errors: { 'data.number': ['wrong'], 'application.id': ['wrong'], expires_at: ['wrong'] },
};

/** Headers that mean something. */
const told = ({ headers }: { headers: Record<string, unknown> }, hasBody: boolean): unknown => {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const names = ['bt-trace-id', 'bt-idempotency-key', 'bt-proxy-key', 'bt-proxy-url'];
  return [hasBody ? lower['content-type'] : undefined, ...names.map((name) => lower[name])];
};

const pairs = (query: string): string[][] => [...new URLSearchParams(query)].sort();

const ofOriginal = (received: Received): unknown => {
  const [path = '', query = ''] = received.url.split('?');
  const body: unknown = received.text === '' ? undefined : JSON.parse(received.text);
  return {
    method: received.method,
    // It ends paths of collections with a slash, which the service does not mind.
    path: path.replace(/\/$/, ''),
    query: pairs(query),
    body,
    headers: told(received, body !== undefined),
  };
};

const ofOurs = (request: Sent): unknown => ({
  method: request.method,
  path: request.path,
  query: pairs(request.query),
  body: request.body,
  headers: told(request, request.body !== undefined),
});

for (const call of calls) {
  const name = call.replace(/\s+/g, ' ').slice(0, 70);
  wire(`given ${name}, then the same is sent, and the same answer is returned`, async () => {
    for (const answer of [
      { status: 200, body: call.startsWith('bt.sessions') ? session : thing },
      { status: 201, body: call.startsWith('bt.sessions') ? session : page },
      { status: 400, body: problem },
      { status: 204 },
      { status: 401 },
    ]) {
      sent = [];
      canned = answer;
      const { outcome, received } = await original.run(call, answer);
      const ours = await realm.run(call);
      assert.is(sent.length, 1);
      const theirs = received.map(ofOriginal).map(withoutEmptyBody(call));
      assert.equal(sent.map(ofOurs), theirs);
      assert.equal(ours, withoutNothing(outcome));
    }
  });
}

/** Intended: nothing is sent where there is nothing to say. */
const withoutEmptyBody = (call: string) => (request: unknown) => {
  if (!call.startsWith('bt.tenants.resendInvitation')) return request;
  const { headers, ...rest } = request as { headers: unknown[] };
  assert.equal((rest as { body?: unknown }).body, {});
  return { ...rest, body: undefined, headers: [undefined, ...headers.slice(1)] };
};

/** Intended: an answer without a body is undefined, where the original makes an empty text or object of it. */
function withoutNothing(outcome: Outcome): unknown {
  if (!('threw' in outcome)) return isNothing(outcome.returned) ? {} : outcome;
  const { data, ...error } = outcome.threw;
  return isNothing(data) ? { threw: error } : outcome;
}

const isNothing = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

wire('given the headers of an answer, when a proxy is asked for them, then they are there', async () => {
  canned = { status: 200, body: thing };
  const outcome = await realm.run(`bt.proxy.post({ includeResponseHeaders: true, body: {} })`);
  assert.equal(outcome, { returned: { data: thing, headers: { 'bt-trace-id': 'trace' } } });
});

wire('given what the original lacks, then it is sent by the same rules', async () => {
  const shown: [string, string, string, unknown][] = [
    [`bt.detokenize({ aB: '{{ id }}' })`, 'POST', '/detokenize', { aB: '{{ id }}' }],
    [`bt.tokens.listV2({ start: 'x' })`, 'GET', '/v2/tokens?start=x', undefined],
    [`bt.tokens.searchV2({ pageSize: 1 })`, 'POST', '/v2/tokens/search', { page_size: 1 }],
    [
      `bt.reactors.reactAsync('r', { args: { aB: 1 } })`,
      'POST',
      '/reactors/r/react-async',
      { args: { aB: 1 } },
    ],
    [`bt.applicationKeys.create('a')`, 'POST', '/applications/a/keys', undefined],
    [`bt.applicationKeys.get('a')`, 'GET', '/applications/a/keys', undefined],
    [`bt.applicationKeys.getById('a', 'k')`, 'GET', '/applications/a/keys/k', undefined],
    [`bt.applicationKeys.delete('a', 'k')`, 'DELETE', '/applications/a/keys/k', undefined],
    [`bt.logs.getEntityTypes()`, 'GET', '/logs/entity-types', undefined],
    [`bt.tenants.retrieveOwner()`, 'GET', '/tenants/self/owner', undefined],
    [`bt.tenants.updateMember('m', { userRole: 1 })`, 'PUT', '/tenants/self/members/m', { user_role: 1 }],
    [`bt.threeds.createSession({ tokenId: 't' })`, 'POST', '/3ds/sessions', { token_id: 't' }],
    [`bt.threeds.getSessionById('s')`, 'GET', '/3ds/sessions/s', undefined],
    [`bt.threeds.authenticateSession('s', { aB: 1 })`, 'POST', '/3ds/sessions/s/authenticate', { a_b: 1 }],
    [`bt.threeds.getChallengeResult('s')`, 'GET', '/3ds/sessions/s/challenge-result', undefined],
  ];
  canned = { status: 200, body: { some_key: [{ aB: 1 }] } };
  for (const [call, method, url, body] of shown) {
    sent = [];
    const outcome = await realm.run(call);
    const isRaw = /detokenize|reactAsync/.test(call);
    const returned = isRaw ? canned.body : { someKey: [{ aB: 1 }] };
    assert.equal(outcome, method === 'DELETE' ? {} : { returned });
    const [request] = sent;
    const asked = request && `${request.path}${request.query === '' ? '' : `?${request.query}`}`;
    assert.equal([request?.method, asked, request?.body], [method, url, body]);
  }
});

wire.run();
