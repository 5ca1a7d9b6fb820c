import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { VaultService } from '#test/support/vaultService.ts';

/** Two secrets of one shape, in tokens whose default masks show the same of both. */
const secrets = {
  a: { number: '4045190100042918', account: '111222333444', ssn: '123-45-6789', text: 'first secret' },
  b: { number: '4045190170092918', account: '999888773444', ssn: '987-65-6789', text: 'other things' },
} as const;
type Secrets = (typeof secrets)['a' | 'b'];

/** What the owner of a tenant keeps there: `parts` shows one of its members by its mask. */
const kept = ({ number, account, ssn, text }: Secrets): object[] => [
  { id: 'card', type: 'card', data: { number, cvc: number.slice(10, 13), expiration_month: 1 } },
  { id: 'bank', type: 'bank', data: { routing_number: '021000021', account_number: account } },
  { id: 'ssn', type: 'social_security_number', data: ssn },
  {
    id: 'parts',
    type: 'token',
    data: { hidden: text, shown: 'seen by all' },
    mask: { shown: '{{ data.shown }}' },
    search_indexes: ['{{ data.hidden }}'],
  },
  { id: 'own print', type: 'token', data: text, fingerprint_expression: '{{ data | slice: 0, 3 }}' },
];

const oneOf = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const target = oneOf('card', 'bank', 'ssn', 'parts', 'own%20print');

/** Parts of data as an attacker asks for them. */
const probe = oneOf(
  '{{ data }}',
  '{{ data.number }}',
  '{{ data.number | slice: 9, 1 }}',
  '{{ data | slice: 0, 1 }}',
  '{{ data.hidden }}',
  '{{ data.account_number | slice: 0, 1 }}',
  '{{ data.cvc }}',
  '{{ data.shown }}',
  "{{ 'constant' }}",
  '{{ data.number | reveal_last: 4 }}',
);

/** Own data: whole secrets among them only for who is shown no fingerprints, which are there to tell equal ones. */
const guess = (isRedacted: boolean): fc.Arbitrary<object> => {
  const { a } = secrets;
  const numbers = ['4045190192782918', '4242424242424242', ...(isRedacted ? [a.number] : [])];
  const texts = ['first thing', 'other thing', ...(isRedacted ? [a.text] : [])];
  const accounts = ['111222333445', ...(isRedacted ? [a.account] : [])];
  return fc.oneof(
    oneOf(...numbers).map((number) => ({ type: 'card', data: { number, expiration_month: 1 } })),
    oneOf(...accounts).map((account_number) => ({
      type: 'bank',
      data: { routing_number: '021000021', account_number },
    })),
    oneOf(...texts).map((data) => ({ type: 'token', data })),
    oneOf(...texts).map((hidden) => ({ type: 'token', data: { hidden, shown: 'seen by all' } })),
  );
};

const attributes = fc.record(
  {
    mask: fc.oneof(probe, fc.dictionary(oneOf('number', 'x'), probe), fc.constant(null)),
    metadata: oneOf({ a: 'b' }, null),
    containers: oneOf(['/low/'], ['/pci/high/'], null),
    fingerprint_expression: fc.oneof(probe, fc.constant(null)),
    search_indexes: fc.oneof(fc.array(probe, { maxLength: 2 }), fc.constant(null)),
    deduplicate_token: fc.boolean(),
  },
  { requiredKeys: [] },
);

type Call = { method: string; path: string; body?: unknown };

function calls(isRedacted: boolean): fc.Arbitrary<Call> {
  const own = guess(isRedacted);
  const data = fc.oneof(
    own.map((token) => (token as { data: unknown }).data),
    oneOf<object>({ expiration_month: 2 }, { cvc: '123' }, { hidden: 'x' }, { shown: 'y' }),
  );
  const made = fc.tuple(own, attributes).map(([token, more]) => ({ ...token, ...more }));
  const query = fc.oneof(
    oneOf('', 'id:card', 'type:token', 'data:6789', 'data:404', 'data:fir', 'container:/low/'),
    ...(isRedacted ? [oneOf(`data:"${secrets.a.text}"`, `data:${secrets.a.ssn}`)] : []),
  );
  return fc.oneof(
    { weight: 4, arbitrary: fc.tuple(target, attributes, fc.option(data, { nil: undefined })).map(toPatch) },
    { weight: 2, arbitrary: made.map((body) => ({ method: 'POST', path: '/tokens', body })) },
    fc
      .array(made, { minLength: 1, maxLength: 3 })
      .map((body) => ({ method: 'POST', path: '/tokenize', body })),
    target.map((id) => ({ method: 'GET', path: `/tokens/${id}` })),
    oneOf({ method: 'GET', path: '/tokens?size=50' }, { method: 'GET', path: '/v2/tokens?size=50' }),
    query.map((text) => ({ method: 'POST', path: '/tokens/search', body: { query: text } })),
    query.map((text) => ({ method: 'POST', path: '/v2/tokens/search', body: { query: text } })),
    oneOf('card', 'ssn', 'token: card', 'token: parts', 'card | json: "$.number"').map((reference) => ({
      method: 'POST',
      path: '/detokenize',
      body: { a: `{{ ${reference} }}` },
    })),
  );
}

const toPatch = ([id, more, data]: [string, object, unknown]): Call => ({
  method: 'PATCH',
  path: `/tokens/${id}`,
  body: data === undefined ? more : { ...more, data },
});

/** An application whose rules redact, mask, or do one to what is read and the other to what is written. */
const applications: readonly { isRedacted: boolean; transforms: readonly [string, string] }[] = [
  { isRedacted: true, transforms: ['redact', 'redact'] },
  { isRedacted: true, transforms: ['redact', 'mask'] },
  { isRedacted: false, transforms: ['mask', 'mask'] },
  { isRedacted: false, transforms: ['mask', 'redact'] },
  { isRedacted: false, transforms: ['mask', 'reveal'] },
];

/** The law: whatever is called, answers do not depend on what of the data is hidden. */
export async function holdsFor(service: VaultService, runs: number, seed: number): Promise<void> {
  const scenario = fc.constantFrom(...applications).chain((application) =>
    fc.record({
      application: fc.constant(application),
      sequence: fc.array(calls(application.isRedacted), { minLength: 4, maxLength: 14 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(scenario, async ({ application, sequence }) => {
      const [reading, writing] = application.transforms;
      const rules = [
        { container: '/', transform: reading, permissions: ['token:read', 'token:search'] },
        { container: '/', transform: writing, permissions: ['token:create', 'token:update'] },
      ];
      const [first, second] = [
        await play(service, secrets.a, rules, sequence),
        await play(service, secrets.b, rules, sequence),
      ];
      assert.equal(first, second);
    }),
    { numRuns: runs, seed, endOnFailure: true },
  );
}

/** What is answered to a sequence of calls in a new tenant, ids and times by their order. */
async function play(
  service: VaultService,
  owned: Secrets,
  rules: readonly object[],
  sequence: readonly Call[],
): Promise<string[]> {
  const keys = await service.anotherTenant();
  for (const token of kept(owned)) {
    const { status } = await service.call('POST', '/tokens', token, { key: keys.private });
    assert.is(status, 201);
  }
  const application = {
    name: 'attacker',
    type: 'private',
    rules: rules.map((rule, index) => ({ priority: index + 1, ...rule })),
  };
  const made = await service.call<{ key: string }>('POST', '/applications', application, {
    key: keys.management,
  });
  const name = namesInOrder();
  const answers: string[] = [];
  for (const { method, path, body } of sequence) {
    const reply = await service.call(method, path, body, { key: made.body.key });
    assert.ok(reply.status < 500, JSON.stringify(reply.body));
    answers.push(name(`${method} ${path} ${reply.status} ${JSON.stringify(reply.body)}`));
  }
  return answers;
}

/** Replaces ids, times and fingerprints: equal ones by an equal name, so that who is equal to whom still counts. */
function namesInOrder(): (text: string) => string {
  const known = new Map<string, string>();
  const variable =
    /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[1-9A-HJ-NP-Za-km-z]{43,44}(?=")|(?<="next":")[^"]+/g;
  const time = /\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g;
  return (text) =>
    text.replace(time, 'a time').replace(variable, (one) => {
      const name = known.get(one) ?? `#${known.size + 1}`;
      known.set(one, name);
      return name;
    });
}
