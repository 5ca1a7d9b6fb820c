import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createInvitation } from '#commands/invitation/create.ts';
import { systemContext } from '#commands/systemContext.ts';
import { randomId } from '#src/identifiers.ts';
import { accept, daysFromNow, invite, manage, operator } from '#test/members/support/people.ts';
import type { Invitation, List, Problem } from '#test/members/support/people.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const invitations = suite<{ service: VaultService }>('invitations');

invitations.before(async (context) => {
  context.service = await startVaultService();
});
invitations.after(({ service }) => service.close());

const list = async (service: VaultService, query = ''): Promise<List<Invitation>> =>
  (await manage<List<Invitation>>(service, 'GET', `/invitations${query}`)).body;
const idsOf = ({ data }: List<Invitation>): string[] => data.map(({ id }) => id);

/** An invitation that was made eight days ago. */
async function inviteLongAgo(service: VaultService, email: string): Promise<string> {
  const context = systemContext(service.tenantId, operator);
  return (await createInvitation(daysFromNow(service, -8), context, { email })).result.record.id;
}

const week = 7 * 24 * 60 * 60_000;

invitations(
  'given an address, when it is invited, then the answer is the record, which can be read and is listed',
  async ({ service }) => {
    const before = Date.now();
    const made = await invite(service, 'Jane@Example.com', 'OWNER');
    const { id, created_by, created_at, expires_at, ...rest } = made;
    assert.equal(rest, {
      tenant_id: service.tenantId,
      email: 'Jane@Example.com',
      role: 'OWNER',
      status: 'PENDING',
    });
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    assert.ok(created_by !== undefined && Date.parse(created_at ?? '') >= before);
    assert.ok(Math.abs(Date.parse(expires_at ?? '') - Date.parse(created_at ?? '') - week) < 5_000);
    assert.equal((await manage(service, 'GET', `/invitations/${id}`)).body, made);
    assert.equal((await list(service)).data[0], made);
    assert.is((await invite(service, 'without-role@example.com'))['role'], 'ADMIN');
  },
);

invitations(
  'given wrong attributes, when somebody is invited, then each fault has its path',
  async ({ service }) => {
    const faultsOf = async (body: unknown): Promise<string[]> => {
      const reply = await manage<Problem>(service, 'POST', '/invitations', body);
      assert.is(reply.status, 400);
      return Object.keys(reply.body.errors ?? {}).sort();
    };
    assert.equal(await faultsOf({}), ['email']);
    assert.equal(await faultsOf({ email: 'nobody', role: 'admin' }), ['email', 'role']);
    assert.equal(await faultsOf({ email: 7, role: 7 }), ['email', 'role']);
    assert.equal(await faultsOf({ email: `${'a'.repeat(250)}@example.com` }), ['email']);
    assert.is((await manage(service, 'GET', '/invitations?status=OLD')).status, 400);
  },
);

invitations(
  'given an address with a pending invitation, when it is invited again, then 409 until that is deleted',
  async ({ service }) => {
    const first = await invite(service, 'twice@example.com');
    const again = await manage<Problem>(service, 'POST', '/invitations', { email: 'TWICE@example.com' });
    assert.is(again.status, 409);
    assert.match(again.body.detail ?? '', first.id);
    assert.is((await manage(service, 'DELETE', `/invitations/${first.id}`)).status, 204);
    await invite(service, 'Twice@example.com');
  },
);

invitations(
  'given one address, when it is invited many times at once, then one invitation is made',
  async ({ service }) => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => manage(service, 'POST', '/invitations', { email: 'many@example.com' })),
    );
    assert.equal(replies.map(({ status }) => status).sort(), [201, ...Array.from({ length: 7 }, () => 409)]);
  },
);

invitations(
  'given an idempotency key, when the request is repeated, then one invitation is made, and answered twice',
  async ({ service }) => {
    const options = { key: service.keys.management, headers: { 'BT-IDEMPOTENCY-KEY': randomId() } };
    const once = () =>
      service.call('POST', '/tenants/self/invitations', { email: 'key@example.com' }, options);
    const [first, again] = [await once(), await once()];
    assert.is(first.status, 201);
    assert.equal(again.body, first.body);
  },
);

invitations(
  'given an invitation of eight days ago, when lists are filtered, then it is expired until it is resent',
  async ({ service }) => {
    const id = await inviteLongAgo(service, 'late@example.com');
    const fresh = await invite(service, 'fresh@example.com');
    const get = async () => (await manage<Invitation>(service, 'GET', `/invitations/${id}`)).body;
    assert.is((await get())['status'], 'EXPIRED');
    assert.equal(idsOf(await list(service, '?status=EXPIRED')), [id]);
    const pending = idsOf(await list(service, '?status=PENDING&size=100'));
    assert.ok(pending.includes(fresh.id) && !pending.includes(id));

    const resent = await manage<Invitation>(service, 'POST', `/invitations/${id}/resend`);
    assert.is(resent.status, 200);
    assert.is(resent.body['status'], 'PENDING');
    assert.is(resent.body['email'], 'late@example.com');
    assert.ok(Date.parse(resent.body['expires_at'] ?? '') > Date.now() + week - 60_000);
    assert.ok(resent.body['modified_at'] !== undefined && resent.body['modified_by'] !== undefined);
    assert.equal(await get(), resent.body);
    assert.equal(idsOf(await list(service, '?status=EXPIRED')), []);
  },
);

invitations(
  'given an expired invitation whose address was invited anew, when it is resent, then 409',
  async ({ service }) => {
    const old = await inviteLongAgo(service, 'anew@example.com');
    await invite(service, 'anew@example.com');
    assert.is((await manage(service, 'POST', `/invitations/${old}/resend`)).status, 409);
  },
);

invitations(
  'given many invitations, when they are paged through, then each comes once, newest first',
  async ({ service }) => {
    const made: string[] = [];
    for (let index = 0; index < 5; index++) {
      made.unshift((await invite(service, `page${index}@example.com`)).id);
    }
    const pages = [await list(service, '?size=2'), await list(service, '?size=2&page=2')];
    assert.equal(pages.flatMap(idsOf), made.slice(0, 4));
    const { total_items, ...pagination } = pages[1]?.pagination ?? {};
    assert.equal(pagination, {
      page_number: 2,
      page_size: 2,
      total_pages: Math.ceil((total_items ?? 0) / 2),
    });
  },
);

invitations(
  'given an invitation, when it is deleted or accepted, then it is gone for every request',
  async ({ service }) => {
    const deleted = await invite(service, 'deleted@example.com');
    assert.is((await manage(service, 'DELETE', `/invitations/${deleted.id}`)).status, 204);
    const accepted = await invite(service, 'accepted@example.com');
    await accept(service, accepted.id);
    const listed = idsOf(await list(service, '?size=100'));
    for (const id of [deleted.id, accepted.id, randomId(), 'nothing']) {
      assert.not.ok(listed.includes(id));
      for (const [method, path] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', '/resend'],
      ] as const) {
        assert.is(
          (await manage(service, method, `/invitations/${id}${path}`)).status,
          404,
          `${method} ${id}`,
        );
      }
    }
  },
);

invitations(
  'given an invitation to one tenant, when another tenant asks, then it is not there, and may invite the address',
  async ({ service }) => {
    const { id } = await invite(service, 'shared@example.com');
    const { management } = await service.anotherTenant();
    const call = (method: string, path: string, body?: unknown) =>
      manage<List<Invitation>>(service, method, path, body, management);
    assert.is((await call('GET', `/invitations/${id}`)).status, 404);
    assert.is((await call('POST', `/invitations/${id}/resend`)).status, 404);
    assert.is((await call('DELETE', `/invitations/${id}`)).status, 404);
    assert.equal((await call('GET', '/invitations')).body.data, []);
    assert.is((await call('POST', '/invitations', { email: 'shared@example.com' })).status, 201);
  },
);

invitations('given a key without the permission, when it asks, then it is refused', async ({ service }) => {
  const { private: key } = service.keys;
  for (const [method, path, body] of [
    ['POST', '/invitations', { email: 'a@example.com' }],
    ['GET', '/invitations', undefined],
    ['GET', `/invitations/${randomId()}`, undefined],
    ['POST', `/invitations/${randomId()}/resend`, undefined],
    ['DELETE', `/invitations/${randomId()}`, undefined],
    ['GET', '/members', undefined],
    ['PUT', `/members/${randomId()}`, { role: 'ADMIN' }],
    ['DELETE', `/members/${randomId()}`, undefined],
  ] as const) {
    assert.is((await manage(service, method, path, body, key)).status, 403, `${method} ${path}`);
  }
});

invitations.run();
