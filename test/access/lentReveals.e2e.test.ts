import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startDestination } from '#test/proxies/support/destination.ts';
import type { Destination } from '#test/proxies/support/destination.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Problem = { detail: string; errors?: Record<string, string[]> };
type Rule = { container?: string; conditions?: object[]; transform: string; permissions: string[] };

const secret = 'hidden-secret';
const masked = 'XXXXXX-XXXXet';
const container = '/pci/';

let service: VaultService;
let destination: Destination;
const lending = suite('reveals that an application lends');

lending.before(async () => {
  destination = await startDestination();
  service = await startVaultService({ environment: { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' } });
});
lending.after(async () => {
  await destination.close();
  await service.close();
});

const allow = async (value: boolean): Promise<void> => {
  const body = { name: 'test', settings: { sessions_may_reveal: String(value) } };
  const reply = await service.call('PUT', '/tenants/self', body, { key: service.keys.management });
  assert.is(reply.status, 200, JSON.stringify(reply.body));
};

const newToken = async (containers = [container]): Promise<string> => {
  const token = { type: 'token', data: secret, mask: '{{ data | reveal_last: 2 }}', containers };
  return (await service.call<{ id: string }>('POST', '/tokens', token)).body.id;
};

const open = async () =>
  (
    await service.call<{ nonce: string; session_key: string }>('POST', '/sessions', undefined, {
      key: service.keys.public,
    })
  ).body;

/** Opens a session and authorizes it with a key. */
async function session(key: string, rules: readonly object[], more: object = {}) {
  const { nonce, session_key } = await open();
  const body = { nonce, rules: rules.map((rule, index) => ({ priority: index + 1, ...rule })), ...more };
  const { status, body: problem } = await service.call<Problem>('POST', '/sessions/authorize', body, { key });
  return { status, problem, key: session_key };
}

const idEquals = (value: string) => [{ attribute: 'id', operator: 'equals', value }];
const oneToken = (id: string, changes: Partial<Rule> = {}): Rule => ({
  conditions: idEquals(id),
  transform: 'reveal',
  permissions: ['token:read'],
  ...changes,
});

const shownTo = async (key: string, id: string) => {
  const { status, body } = await service.call<{ data?: string }>('GET', `/tokens/${id}`, undefined, { key });
  return status === 200 ? (body.data ?? 'nothing') : status;
};

/** What a destination is given. */
const usedBy = async (key: string, id: string) => {
  const { status, body } = await service.call<{ received: string }>(
    'POST',
    '/proxy',
    { value: `{{ token: ${id} | json: '$.data' }}` },
    { key, headers: { 'BT-PROXY-URL': destination.url } },
  );
  return status === 200 ? (JSON.parse(body.received) as { value: string }).value : status;
};

/** What an application holds for the container, by permission; none: it does not hold it. */
type Held = 'none' | 'redact' | 'mask' | 'reveal';
const transforms: readonly Held[] = ['none', 'redact', 'mask', 'reveal'];
const held: readonly [permission: string, read: Held, use: Held][] = [
  ...transforms.map((read) => ['token:read', read, 'none'] as [string, Held, Held]),
  ...transforms.flatMap((use) => [
    ['token:use', 'none', use] as [string, Held, Held],
    ['token:use', 'mask', use] as [string, Held, Held],
  ]),
];
const applications = new Map<string, string>();

async function applicationWith(read: Held, use: Held): Promise<string> {
  const name = `${read} ${use}`;
  const known = applications.get(name);
  if (known !== undefined) return known;
  const rules = [
    { container: '/other/', transform: 'mask', permissions: ['token:create'] },
    ...(read === 'none' ? [] : [{ container, transform: read, permissions: ['token:read'] }]),
    ...(use === 'none' ? [] : [{ container, transform: use, permissions: ['token:use'] }]),
  ];
  const key = await service.ruledKey(...rules);
  applications.set(name, key);
  return key;
}

/** The matrix: for each setting, what is held, what is asked for and by what kind of rule, whether it is lent. */
for (const isOn of [false, true]) {
  lending(
    `given the setting ${isOn ? 'on' : 'off'}, when reveals are lent, then the matrix holds`,
    async () => {
      await allow(isOn);
      const id = await newToken();
      const shapes: Record<string, Partial<Rule>> = {
        'one id': {},
        'one id and its container': {
          conditions: [
            ...idEquals(id),
            { attribute: 'container', operator: 'starts_with', value: container },
          ],
        },
        'ids that begin so': {
          conditions: [{ attribute: 'id', operator: 'starts_with', value: id.slice(0, 30) }],
        },
        'a container': { conditions: undefined as unknown as object[], container },
      };
      for (const [permission, read, use] of held) {
        const key = await applicationWith(read, use);
        const own = permission === 'token:read' ? read : use;
        for (const [shape, changes] of Object.entries(shapes)) {
          const isLent = own === 'reveal' || (isOn && shape.startsWith('one id') && read !== 'none');
          const place = JSON.stringify({ isOn, read, use, shape, permission });
          const rule = oneToken(id, { ...changes, permissions: [permission] });
          const { status, key: lent } = await session(key, [rule]);
          assert.is(status, isLent ? 200 : 403, place);
          if (!isLent) continue;
          const [shows, other] = permission === 'token:read' ? [shownTo, usedBy] : [usedBy, shownTo];
          assert.is(await shows(lent, id), secret, place);
          assert.is(await other(lent, id), 403, place);
        }
      }
    },
  );
}

lending('given the setting, when another token is asked for, then only the named one is shown', async () => {
  await allow(true);
  const [id, other] = [await newToken(), await newToken()];
  const { key } = await session(await applicationWith('mask', 'none'), [
    oneToken(id),
    { container, transform: 'mask', permissions: ['token:read'] },
  ]);
  assert.is(await shownTo(key, id), secret);
  assert.is(await shownTo(key, other), masked);
});

lending('given the setting, when the application cannot reach the token, then it lends nothing', async () => {
  await allow(true);
  const elsewhere = await newToken(['/elsewhere/']);
  assert.is((await session(await applicationWith('mask', 'none'), [oneToken(elsewhere)])).status, 403);
});

lending(
  'given a session that was lent a reveal, when the setting or the right goes, then it ends',
  async () => {
    await allow(true);
    const id = await newToken();
    const management = { key: service.keys.management };
    const rules = [{ priority: 1, container, transform: 'mask', permissions: ['token:read'] }];
    const application = { name: 'lender', type: 'private', rules };
    const made = await service.call<{ id: string; key: string }>(
      'POST',
      '/applications',
      application,
      management,
    );
    const { key } = await session(made.body.key, [oneToken(id)]);
    assert.is(await shownTo(key, id), secret);
    await allow(false);
    assert.is(await until(async () => (await shownTo(key, id)) === masked), true);
    await allow(true);
    const { key: second } = await session(made.body.key, [oneToken(id)]);
    assert.is(await shownTo(second, id), secret);
    const narrowed = { name: 'lender', rules: [{ ...rules[0], container: '/other/' }] };
    await service.call('PUT', `/applications/${made.body.id}`, narrowed, management);
    assert.is(await until(async () => (await shownTo(second, id)) === 403), true);
  },
);

lending(
  'given a reveal that is lent, then it lasts at most 15 minutes; one that is held, longer',
  async () => {
    await allow(true);
    const id = await newToken();
    const inMinutes = (minutes: number) => ({
      expires_at: new Date(Date.now() + minutes * 60_000).toISOString(),
    });
    const lender = await applicationWith('mask', 'none');
    assert.is((await session(lender, [oneToken(id)], inMinutes(14))).status, 200);
    const long = await session(lender, [oneToken(id)], inMinutes(16));
    assert.is(long.status, 400);
    assert.match(long.problem.errors?.['expires_at']?.[0] ?? '', '15 minutes');
    assert.is(
      (await session(await applicationWith('reveal', 'none'), [oneToken(id)], inMinutes(60))).status,
      200,
    );
  },
);

lending(
  'given a reveal that was lent, when the token is read, then the audit log says reveal, at both ends',
  async () => {
    await allow(true);
    const id = await newToken();
    const { key } = await session(await applicationWith('mask', 'none'), [oneToken(id)]);
    assert.is(await shownTo(key, id), secret);
    type Entries = { data: { operation: string; detail?: string; entity_type: string }[] };
    const entries = (query: string) =>
      service.call<Entries>('GET', `/logs?size=100&${query}`, undefined, { key: service.keys.management });
    await until(async () => {
      const { body } = await entries(`entity_type=token&entity_id=${id}`);
      return body.data.some(({ operation, detail }) => operation === 'read' && detail === 'reveal');
    });
    await until(async () => {
      const { body } = await entries('entity_type=session');
      return body.data.some(({ operation, detail }) => operation === 'authorize' && detail === 'reveal');
    });
  },
);

lending(
  'given the settings off, when a session can never reveal what it says, then 403 says why',
  async () => {
    await allow(false);
    const id = await newToken();
    const refused = await session(await applicationWith('mask', 'none'), [oneToken(id)]);
    assert.is(refused.status, 403);
    assert.match(refused.problem.detail, 'rules[0]');
    assert.match(refused.problem.detail, 'sessions_may_reveal');
    const plain = await open();
    const body = { nonce: plain.nonce, permissions: ['token:use'] };
    const lacking = await service.call<Problem>('POST', '/sessions/authorize', body, {
      key: await applicationWith('mask', 'none'),
    });
    assert.is(lacking.status, 403);
  },
);

lending(
  'given reveal in one container, when a session may meet it, then it is authorized as before',
  async () => {
    await allow(false);
    const key = await service.ruledKey(
      { container: '/a/masked/', transform: 'mask', permissions: ['token:read'] },
      { container: '/a/', transform: 'reveal', permissions: ['token:read'] },
    );
    const status = async (rule: Partial<Rule>): Promise<number> =>
      (await session(key, [{ transform: 'reveal', permissions: ['token:read'], ...rule }])).status;
    assert.is(await status({ container: '/' }), 200);
    assert.is(await status({ container: '/a/deep/' }), 200);
    assert.is(await status({ container: '/a/masked/' }), 403);
    assert.is(await status({ container: '/a/masked/deep/' }), 403);
    // A token may lie in both.
    assert.is(await status({ container: '/b/' }), 200);
    assert.is(await status({ conditions: idEquals('not-there-yet') }), 200);
    assert.is(await status({ conditions: idEquals(await newToken(['/a/masked/'])) }), 403);
    assert.is(await status({ conditions: idEquals(await newToken(['/a/b/'])) }), 200);
    assert.is(await status({ container: '/a/masked/', transform: 'mask' }), 200);
  },
);

lending(
  'given a reveal that was lent, when the session loosens the mask, then 403: that would last',
  async () => {
    await allow(true);
    const id = await newToken();
    const rules = [oneToken(id), { container, transform: 'mask', permissions: ['token:update'] }];
    const own = (transform: string) => ({
      container,
      transform,
      permissions: ['token:read', 'token:update'],
    });
    const patch = async (key: string): Promise<number> =>
      (await service.call('PATCH', `/tokens/${id}`, { mask: '{{ data }}' }, { key })).status;
    const lent = await session(await service.ruledKey(own('mask')), rules);
    assert.is(await shownTo(lent.key, id), secret);
    assert.is(await patch(lent.key), 403);
    const held = await session(await service.ruledKey(own('reveal')), rules);
    assert.is(await patch(held.key), 200);
  },
);

lending.run();
