import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { authenticationValue, getThreeDsSession } from '#queries/threeDs/get.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

type Authentication = Record<string, unknown> & { authentication_status: string; error_data?: object };
type Session = Record<string, unknown> & { id: string; authentication?: Authentication };

const sessions = suite<{ service: VaultService }>('3-D Secure sessions over HTTP');

sessions.before(async (context) => {
  context.service = await startVaultService();
});
sessions.after(({ service }) => service.close());

const number = (last: string): string => `42000000000000${last}`;

async function card({ call }: VaultService, digits: string): Promise<string> {
  const data = { number: digits, expiration_month: 12, expiration_year: 2030 };
  const reply = await call<{ id: string }>('POST', '/tokens', { type: 'card', data });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.id;
}

const open = async (service: VaultService, digits: string, name = 'token_id'): Promise<Reply<Session>> =>
  service.call<Session>(
    'POST',
    '/3ds/sessions',
    { [name]: await card(service, digits), device: 'browser' },
    { key: service.keys.public },
  );

const authenticate = ({ call }: VaultService, id: string): Promise<Reply<Authentication>> =>
  call<Authentication>('POST', `/3ds/sessions/${id}/authenticate`, { purchase_info: { amount: '100' } });

const complete = ({ call }: VaultService, id: string, body: object = {}): Promise<Reply<Authentication>> =>
  call<Authentication>('POST', `/3ds/sessions/${id}/challenge-result`, body);

for (const [last, status] of Object.entries({
  '02': 'successful',
  '03': 'attempted',
  '05': 'failed',
  '06': 'unavailable',
  '07': 'rejected',
  '12': 'unavailable',
  '13': 'unavailable',
})) {
  sessions(
    `given test card ${last}, when it is authenticated, then it is ${status} at once`,
    async ({ service }) => {
      const opened = await open(service, number(last));
      assert.is(opened.status, 201);
      assert.is(opened.body['card_brand'], 'visa');
      const { id } = opened.body;
      assert.match(String(opened.body['method_url']), /\/3ds\/sandbox\/method$/);
      const { body } = await authenticate(service, id);
      assert.equal([body['session_id'], body.authentication_status], [id, status]);
      assert.is(body.error_data !== undefined, ['12', '13'].includes(last));
      const earned = ['02', '03'].includes(last);
      assert.is(typeof body['authentication_value'], earned ? 'string' : 'undefined');
      const shown = await service.call<Session>('GET', `/3ds/sessions/${id}`);
      assert.equal(shown.body.authentication, body);
      assert.is((await complete(service, id)).status, 409);
    },
  );
}

for (const [last, status] of Object.entries({
  '04': 'successful',
  '14': 'successful',
  '15': 'successful',
  '16': 'successful',
  '08': 'attempted',
  '09': 'failed',
  '17': 'failed',
  '10': 'unavailable',
  '11': 'rejected',
})) {
  sessions(`given test card ${last}, when its challenge ends, then it is ${status}`, async ({ service }) => {
    const { id } = (await open(service, number(last))).body;
    const challenged = (await authenticate(service, id)).body;
    assert.is(challenged.authentication_status, 'challenge');
    assert.is(challenged['acs_challenge_mandated'], last === '15' ? 'Y' : 'N');
    const isOutOfBand = ['16', '17'].includes(last);
    const type = isOutOfBand ? 'out-of-band' : 'dynamic';
    assert.is(challenged['authentication_challenge_type'], type);
    const { method } = (
      await service.call<Record<string, Record<string, unknown>>>('GET', `/3ds/sessions/${id}`)
    ).body;
    assert.is(method?.['method_completion_indicator'], last === '14' ? 'U' : 'Y');
    assert.is(method?.['method_url'] === undefined, last === '14');
    const result = await complete(service, id);
    assert.equal([result.status, result.body.authentication_status], [200, status]);
    const read = await service.call<Authentication>('GET', `/3ds/sessions/${id}/challenge-result`);
    assert.equal(read.body, result.body);
    assert.equal((await complete(service, id, { cancelled: true })).body, result.body);
  });
}

for (const [answer, status] of [
  ['completed', 'successful'],
  ['cancelled', 'failed'],
]) {
  sessions(
    `given the page of a challenge, when the buyer answers ${answer}, then it is ${status}`,
    async ({ service }) => {
      const { id } = (await open(service, number('04'))).body;
      const address = new URL(String((await authenticate(service, id)).body['acs_challenge_url']));
      const page = await fetch(`${service.url}${address.pathname}`);
      assert.match(await page.text(), /name="answer" value="completed"/);
      assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors \*/);
      const forged = address.pathname.replace(/[^/]+$/, 'A'.repeat(43));
      assert.is((await fetch(`${service.url}${forged}?answer=${answer}`)).status, 404);
      const visit = (given: string) => fetch(`${service.url}${address.pathname}?answer=${given}`);
      assert.match(await (await visit(String(answer))).text(), /Thank you/);
      await visit('completed');
      const { body } = await service.call<Authentication>('GET', `/3ds/sessions/${id}/challenge-result`);
      assert.equal([body.authentication_status, body['acs_challenge_url']], [status, undefined]);
    },
  );
}

sessions('given the hidden page of the method, then it is there for frames', async ({ service }) => {
  const { body } = await open(service, number('02'));
  const page = await fetch(`${service.url}${new URL(String(body['method_url'])).pathname}`);
  assert.equal([page.status, page.headers.get('x-frame-options')], [200, null]);
});

sessions('given a buyer who closes the challenge, then the authentication failed', async ({ service }) => {
  const { id } = (await open(service, number('04'))).body;
  await authenticate(service, id);
  assert.is((await complete(service, id, { cancelled: true })).body.authentication_status, 'failed');
});

sessions(
  'given the older name of the token, then it is taken; without a token it is 400',
  async ({ service }) => {
    const opened = await open(service, '5555555555554444', 'pan_token_id');
    assert.is(opened.body['card_brand'], 'mastercard');
    const done = (await authenticate(service, opened.body.id)).body;
    assert.equal([done.authentication_status, done['eci']], ['successful', '02']);
    assert.is((await authenticate(service, opened.body.id)).status, 409);
    const { call } = service;
    assert.is((await call('POST', '/3ds/sessions', {})).status, 400);
    const text = await call<{ id: string }>('POST', '/tokens', { type: 'token', data: 'x' });
    assert.is((await call('POST', '/3ds/sessions', { token_id: text.body.id })).status, 400);
    assert.is((await call('POST', '/3ds/sessions', { token_id: 'unknown' })).status, 404);
  },
);

sessions('given a session that was not authenticated, then it has no result', async ({ service }) => {
  const { id } = (await open(service, number('02'))).body;
  const path = `/3ds/sessions/${id}/challenge-result`;
  assert.is((await service.call('GET', path)).status, 409);
  assert.is((await complete(service, id)).status, 409);
});

sessions('given keys that may not, and other tenants, then they get nothing', async ({ service }) => {
  const { id } = (await open(service, number('02'))).body;
  const other = (await service.anotherTenant()).private;
  const requests = [
    ['GET', ''],
    ['GET', '/challenge-result'],
    ['POST', '/authenticate'],
    ['POST', '/challenge-result'],
  ] as const;
  for (const [method, path] of requests) {
    const body = method === 'POST' ? {} : undefined;
    const statusFor = async (key: string): Promise<number> =>
      (await service.call(method, `/3ds/sessions/${id}${path}`, body, { key })).status;
    assert.is(await statusFor(service.keys.public), 403, path);
    assert.is(await statusFor(other), 404, path);
  }
});

sessions(
  'given a cryptogram, then only the vault has it, and what makes payments can read it',
  async ({ service }) => {
    const { composition, tenantId } = service;
    const { id } = (await open(service, number('02'))).body;
    const value = (await authenticate(service, id)).body['authentication_value'];
    assert.type(value, 'string');
    const session = await getThreeDsSession(composition, tenantId, id);
    assert.is(await authenticationValue(composition, session), value);
    const { rows } = await composition.pools.owner.query<{ text: string }>(
      'select e::text as text from event_log.events as e',
    );
    for (const { text } of rows) assert.not.ok(text.includes(String(value)) || text.includes(number('02')));
  },
);

sessions.run();
