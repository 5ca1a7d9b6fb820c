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

/** Parts of each kept token as an attacker asks for them. */
const probes: Readonly<Record<string, readonly string[]>> = {
  card: [
    '{{ data.number }}',
    '{{ data.number | slice: 9, 1 }}',
    '{{ data.number | slice: 8, 4 }}',
    '{{ data.cvc }}',
  ],
  bank: ['{{ data.account_number }}', '{{ data.account_number | slice: 0, 1 }}'],
  ssn: ['{{ data }}', '{{ data | slice: 0, 1 }}', '{{ data | slice: 0, 3 }}'],
  parts: ['{{ data }}', '{{ data.hidden }}', '{{ data.hidden | slice: 0, 1 }}', '{{ data | stringify }}'],
  'own%20print': ['{{ data }}', '{{ data | slice: 0, 1 }}', '{{ data | slice: 0, 3 }}'],
};

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

/** One change at a time, so that most are valid. */
function changes(target: string): fc.Arbitrary<object> {
  const probe = oneOf(...(probes[target] ?? []));
  return fc.oneof(
    probe.map((mask) => ({ mask })),
    probe.map((one) => ({ mask: { x: one } })),
    probe.map((fingerprint_expression) => ({ fingerprint_expression })),
    fc.tuple(probe, fc.boolean()).map(([fingerprint_expression, deduplicate_token]) => ({
      fingerprint_expression,
      deduplicate_token,
    })),
    probe.map((one) => ({ search_indexes: [one] })),
    oneOf<object>(
      {},
      { mask: null },
      { metadata: { a: 'b' } },
      { containers: ['/low/'] },
      { deduplicate_token: true, metadata: { c: 'd' } },
      { data: { cvc: '123' } },
      { data: { expiration_month: 2 } },
    ),
  );
}

type Call = { method: string; path: string; body?: unknown };

function calls(target: string, isRedacted: boolean): fc.Arbitrary<Call> {
  const { a } = secrets;
  const make = fc
    .tuple(guess(isRedacted), changes(target), fc.boolean())
    .map(([token, change, deduplicate_token]) => ({ ...change, deduplicate_token, ...token }));
  const query = oneOf(
    ...[
      `id:"${decodeURIComponent(target)}"`,
      'data:6789',
      'data:1',
      'data:f',
      'data:404519019010',
      'data:123',
    ],
    ...(isRedacted ? [`data:"${a.text}"`, `data:${a.ssn}`] : []),
  );
  return fc.oneof(
    {
      weight: 5,
      arbitrary: changes(target).map((body) => ({ method: 'PATCH', path: `/tokens/${target}`, body })),
    },
    { weight: 2, arbitrary: make.map((body) => ({ method: 'POST', path: '/tokens', body })) },
    fc
      .array(make, { minLength: 1, maxLength: 3 })
      .map((body) => ({ method: 'POST', path: '/tokenize', body })),
    query.map((text) => ({ method: 'POST', path: '/tokens/search', body: { query: text } })),
    query.map((text) => ({ method: 'POST', path: '/v2/tokens/search', body: { query: text } })),
    oneOf('', 'token: ').map((as) => ({
      method: 'POST',
      path: '/detokenize',
      body: { a: `{{ ${as}${decodeURIComponent(target)} }}` },
    })),
  );
}

/** Whatever was changed, everything is looked at in the end. */
const closing = (target: string): Call[] => [
  { method: 'GET', path: `/tokens/${target}` },
  { method: 'PATCH', path: `/tokens/${target}`, body: {} },
  { method: 'GET', path: '/tokens?size=100' },
  { method: 'GET', path: '/v2/tokens?size=100' },
];

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
  const scenario = fc
    .record({ application: oneOf(...applications), target: oneOf(...Object.keys(probes)) })
    .chain(({ application, target }) =>
      fc
        .array(calls(target, application.isRedacted), { minLength: 8, maxLength: 20 })
        .map((sequence) => ({ application, sequence: [...sequence, ...closing(target)] })),
    );
  await fc.assert(
    fc.asyncProperty(scenario, async ({ application, sequence }) => {
      const [reading, writing] = application.transforms;
      const rules = [
        { container: '/', transform: reading, permissions: ['token:read', 'token:search'] },
        { container: '/', transform: writing, permissions: ['token:create', 'token:update'] },
      ];
      const [first, second] = await Promise.all([
        play(service, secrets.a, rules, sequence),
        play(service, secrets.b, rules, sequence),
      ]);
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
