import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createMember } from '#commands/member/create.ts';
import { deleteInvitation } from '#commands/invitation/delete.ts';
import { systemContext } from '#commands/systemContext.ts';
import { Conflicted, NotFound, Unprocessable, ValidationFailed } from '#src/errors.ts';
import { randomId, resourceId } from '#src/identifiers.ts';
import { getInvitation } from '#queries/invitation/get.ts';
import { accept, daysFromNow, invite, manage, operator } from '#test/members/support/people.ts';
import type { List, Member, Problem } from '#test/members/support/people.ts';
import { failureOf } from '#test/sdk/support/failure.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

const members = suite<{ service: VaultService }>('members');

members.before(async (context) => {
  context.service = await startVaultService();
});
members.after(({ service }) => service.close());

const list = async (service: VaultService, query = ''): Promise<List<Member>> =>
  (await manage<List<Member>>(service, 'GET', `/members${query}`)).body;

const join = async (service: VaultService, email: string, role?: string): Promise<string> =>
  (await accept(service, (await invite(service, email, role)).id)).id;

members(
  'given an invitation, when an operator accepts it with names, then there is a member, and no invitation',
  async ({ service }) => {
    const { id: invitationId } = await invite(service, 'Jane@example.com');
    const { id, userId } = await accept(service, invitationId, { firstName: 'Jane', lastName: 'Doe' });
    const [member] = (await list(service)).data;
    const { created_at, created_date, ...rest } = {
      created_at: undefined,
      created_date: undefined,
      ...member,
    };
    assert.equal(rest, {
      id,
      tenant_id: service.tenantId,
      user: { id: userId, email: 'Jane@example.com', first_name: 'Jane', last_name: 'Doe' },
      role: 'ADMIN',
    });
    assert.ok(created_at !== undefined && created_at === created_date);
    assert.instance(await failureOf(accept(service, invitationId)), NotFound);
  },
);

members(
  'given members, when they are listed by user and by page, then newest come first, and those asked for',
  async ({ service }) => {
    const made = [
      await join(service, 'one@example.com'),
      await join(service, 'two@example.com'),
      await join(service, 'three@example.com'),
    ];
    const newest = await list(service, '?size=2');
    assert.equal(
      newest.data.map(({ id }) => id),
      [made[2], made[1]],
    );
    assert.is(newest.pagination['page_size'], 2);
    const [three, two] = newest.data.map(({ user }) => user['id']);
    const found = await list(service, `?user_id=${two}&user_id=${three}&user_id=nobody`);
    assert.equal(
      found.data.map(({ user }) => user['email']),
      ['three@example.com', 'two@example.com'],
    );
    assert.is(found.pagination['total_items'], 2);
    assert.equal((await list(service, `?user_id=${made[0]}`)).data, []);
  },
);

members(
  'given a member, when the role is changed, then it is shown with who changed it',
  async ({ service }) => {
    const id = await join(service, 'role@example.com');
    const changed = await manage<Member>(service, 'PUT', `/members/${id}`, { role: 'OWNER' });
    assert.is(changed.status, 200);
    assert.is(changed.body['role'], 'OWNER');
    assert.is(changed.body.user['email'], 'role@example.com');
    assert.ok(changed.body['modified_by'] !== undefined && changed.body['modified_at'] !== undefined);
    assert.equal((await list(service)).data[0], changed.body);
    const contentType = 'application/json-patch+json';
    const options = { key: service.keys.management, contentType };
    const labelled = await service.call('PUT', `/tenants/self/members/${id}`, { role: 'ADMIN' }, options);
    assert.is(labelled.status, 200);
    for (const nothing of ['', null, {}]) {
      const kept = await manage<Member>(service, 'PUT', `/members/${id}`, { role: nothing });
      assert.equal([kept.status, kept.body['role']], [200, 'ADMIN'], JSON.stringify(nothing));
    }
    const wrong = await manage<Problem>(service, 'PUT', `/members/${id}`, { role: 'king' });
    assert.is(wrong.status, 400);
    assert.match(wrong.body.errors?.['role']?.[0] ?? '', 'ADMIN');
  },
);

members(
  'given an owner, when it is to be removed, then 422 until the role is another',
  async ({ service }) => {
    const id = await join(service, 'owner@example.com', 'OWNER');
    const refused = await manage<Problem>(service, 'DELETE', `/members/${id}`);
    assert.is(refused.status, 422);
    assert.match(refused.body.detail ?? '', 'change the role first');
    await manage(service, 'PUT', `/members/${id}`, { role: 'ADMIN' });
    assert.is((await manage(service, 'DELETE', `/members/${id}`)).status, 204);
  },
);

members(
  'given an address of a member, when it is invited, then 409 until the member is removed',
  async ({ service }) => {
    const id = await join(service, 'again@example.com');
    const invitation = { email: 'Again@Example.com' };
    const refused = await manage<Problem>(service, 'POST', '/invitations', invitation);
    assert.is(refused.status, 409);
    assert.match(refused.body.detail ?? '', id);
    assert.is((await manage(service, 'DELETE', `/members/${id}`)).status, 204);
    assert.not.ok((await list(service, '?size=100')).data.some((member) => member.id === id));
    await join(service, 'again@example.com');
  },
);

members(
  'given what is not a member, or one of another tenant, when it is changed, then 404',
  async ({ service }) => {
    const id = await join(service, 'mine@example.com');
    const { management } = await service.anotherTenant();
    const attempts = [
      [id, management],
      [randomId(), service.keys.management],
      ['nothing', service.keys.management],
    ] as const;
    for (const [target, key] of attempts) {
      const changed = await manage(service, 'PUT', `/members/${target}`, { role: 'ADMIN' }, key);
      assert.is(changed.status, 404);
      assert.is((await manage(service, 'DELETE', `/members/${target}`, undefined, key)).status, 404);
    }
    const others = await manage<List<Member>>(service, 'GET', '/members', undefined, management);
    assert.equal(others.body.data, []);
  },
);

members(
  'given an invitation, when it is accepted after seven days or with wrong names, then it is refused',
  async ({ service }) => {
    const { id } = await invite(service, 'slow@example.com');
    const late = accept(service, id, {}, daysFromNow(service, 7.01));
    assert.instance(await failureOf(late), Unprocessable);
    const wrong = await failureOf(accept(service, id, { firstName: ' ', lastName: 'x'.repeat(101) }));
    assert.ok(wrong instanceof ValidationFailed);
    assert.equal(Object.keys(wrong.faults), ['first_name', 'last_name']);
    assert.instance(await failureOf(accept(service, 'nothing')), NotFound);
    await accept(service, id, {}, daysFromNow(service, 6.99));
  },
);

members(
  'given an acceptance that ended halfway, when it is tried again, then it is completed with the same member',
  async ({ service }) => {
    const { id } = await invite(service, 'halfway@example.com');
    const { record } = await getInvitation(service.composition, service.tenantId, id);
    const half = await createMember(service.composition, systemContext(service.tenantId, operator), {
      id: resourceId(id, 'member'),
      invitation: record,
      names: { firstName: 'Half', lastName: undefined },
    });
    const whole = await accept(service, id);
    assert.equal(whole, half);
    assert.is((await manage(service, 'GET', `/invitations/${id}`)).status, 404);
  },
);

members(
  'given an invitation that is deleted while it is being accepted, when that ends, then there is no member',
  async ({ service }) => {
    const { id } = await invite(service, 'withdrawn@example.com', 'OWNER');
    const { vault } = service.composition;
    let isDeleted = false;
    const store: typeof vault.store = async (payload) => {
      await vault.store(payload);
      if (isDeleted) return;
      isDeleted = true;
      await deleteInvitation(service.composition, systemContext(service.tenantId, operator), id);
    };
    const dependencies = { ...service.composition, vault: { ...vault, store } };
    assert.instance(await failureOf(accept(service, id, {}, dependencies)), NotFound);
    const emails = (await list(service, '?size=100')).data.map(({ user }) => user['email']);
    assert.ok(isDeleted && !emails.includes('withdrawn@example.com'));
    await invite(service, 'withdrawn@example.com');
  },
);

members(
  'given one invitation, when it is accepted many times at once, then one member is made',
  async ({ service }) => {
    const { id } = await invite(service, 'crowd@example.com');
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => accept(service, id)));
    const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.id] : []));
    assert.is(made.length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') {
        assert.ok(outcome.reason instanceof NotFound || outcome.reason instanceof Conflicted);
      }
    }
    const found = (await list(service, '?size=100')).data.filter(
      ({ user }) => user['email'] === 'crowd@example.com',
    );
    assert.is(found.length, 1);
  },
);

members.run();
