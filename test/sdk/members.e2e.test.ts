import { BasisTheory } from '@basis-theory/node-sdk';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failureOf } from '#test/sdk/support/failure.ts';
import { clientOf as javascriptClientOf, statusOf } from '#test/sdk/support/javascript.ts';
import type { Client } from '#test/sdk/support/javascript.ts';
import { clientOf as nodeClientOf } from '#test/sdk/support/node.ts';
import { absentId } from '#test/sdk/support/operations.ts';
import { serveProcess } from '#test/sdk/support/served.ts';
import type { Served } from '#test/sdk/support/served.ts';
import { runHoldfast } from '#test/support/service.ts';
import type { ServiceProcess } from '#test/support/service.ts';

type Context = Served<ServiceProcess> & { node: ReturnType<typeof nodeClientOf>; javascript: Client };

const sdk = suite<Context>('members and invitations in both libraries');

sdk.before(async (context) => {
  Object.assign(context, await serveProcess());
  const { service } = context;
  context.node = nodeClientOf(service.credentials.management, service);
  context.javascript = await javascriptClientOf(service.credentials.management, service);
});
sdk.after(({ stop }) => stop());

const holdfast = ({ service }: Served<ServiceProcess>, ...words: string[]) =>
  runHoldfast(['tenant', ...words], { HOLDFAST_DATA_DIR: service.dataDirectory });

/** Invites and accepts on the command line, and answers the member's id. */
async function join(served: Served<ServiceProcess>, email: string): Promise<string> {
  const tenantId = served.service.credentials.tenant_id;
  const invited = await holdfast(served, 'invite', tenantId, email, '--role', 'ADMIN');
  const invitationId = /^invitation {2}(\S+)$/m.exec(invited.out)?.[1] ?? invited.err;
  const names = ['--first-name', 'Jane', '--last-name', 'Doe'];
  const accepted = await holdfast(served, 'accept-invitation', tenantId, invitationId, ...names);
  assert.is(accepted.code, 0, accepted.err);
  return /^member {2}(\S+)$/m.exec(accepted.out)?.[1] ?? '';
}

sdk(
  'given node-sdk, when invitations are made, resent, read, listed and deleted, then each call answers as it expects',
  async ({ node: { tenants } }) => {
    const made = await tenants.invitations.create({ email: 'one@example.com', role: 'ADMIN' });
    const id = made.id ?? '';
    assert.equal([made.email, made.role, made.status], ['one@example.com', 'ADMIN', 'PENDING']);
    assert.ok(made.expiresAt instanceof Date && made.createdAt instanceof Date);
    assert.equal(await tenants.invitations.get(id), made);
    const resent = await tenants.invitations.resend(id);
    assert.ok((resent.expiresAt ?? 0) > made.expiresAt && resent.modifiedAt instanceof Date);
    const pending = await Array.fromAsync(await tenants.invitations.list({ status: 'PENDING', size: 1 }));
    assert.equal(pending, [resent]);
    assert.equal((await tenants.invitations.list({ status: 'EXPIRED', start: '', page: 1 })).data, []);
    await tenants.invitations.delete(id);
    assert.instance(await failureOf(tenants.invitations.get(id)), BasisTheory.NotFoundError);
    const wrong = await failureOf(tenants.invitations.create({ email: 'nobody' }));
    assert.instance(wrong, BasisTheory.BadRequestError);
  },
);

sdk(
  'given basis-theory-js, when invitations are made, resent, read, listed and deleted, then as it expects',
  async ({ javascript: { tenants } }) => {
    const made = await tenants.createInvitation({ email: 'two@example.com' });
    assert.equal([made.email, made.status], ['two@example.com', 'PENDING']);
    assert.equal(await tenants.retrieveInvitation(made.id), made);
    const resent = await tenants.resendInvitation(made.id);
    assert.ok(resent.expiresAt > made.expiresAt);
    const listed = await tenants.listInvitations({ status: 'PENDING', size: 10, page: 1 });
    assert.equal(listed.data, [resent]);
    assert.equal(listed.pagination.totalItems, 1);
    await tenants.deleteInvitation(made.id);
    assert.is(await statusOf(tenants.retrieveInvitation(made.id)), 404);
  },
);

sdk(
  'given an invitation accepted on the command line, when both libraries list members, then both know the member',
  async (context) => {
    const { node, javascript } = context;
    const id = await join(context, 'jane@example.com');
    const { data: [one] = [] } = await node.tenants.members.list();
    assert.ok(one?.id === id);
    assert.equal(
      [one.user?.email, one.user?.firstName, one.user?.lastName],
      ['jane@example.com', 'Jane', 'Doe'],
    );
    assert.instance(one.createdDate, Date);
    const userId = one.user?.id ?? '';
    assert.is((await node.tenants.members.list({ userId: [userId, absentId] })).data?.length, 1);
    const listed = await javascript.tenants.listMembers({ userId });
    assert.equal(
      listed.data.map(({ user, role, createdAt }) => [user.firstName, role, typeof createdAt]),
      [['Jane', 'ADMIN', 'string']],
    );
    assert.equal((await javascript.tenants.listMembers({ userId: [absentId] })).data, []);

    const owner = await node.tenants.members.update(id, { role: 'OWNER' });
    assert.is(owner.role, 'OWNER');
    assert.is((await node.tenants.owner.get()).id, id);
    assert.instance(await failureOf(node.tenants.members.delete(id)), BasisTheory.UnprocessableEntityError);
    await node.tenants.members.update(id, { role: 'ADMIN' });
    await javascript.tenants.deleteMember(id);
    assert.instance(await failureOf(node.tenants.members.delete(id)), BasisTheory.NotFoundError);
  },
);

sdk('given wrong words on the command line, then one sentence says what is wrong', async (context) => {
  const tenantId = context.service.credentials.tenant_id;
  const refusals: [string[], string][] = [
    [['invite', absentId, 'a@example.com'], `there is no tenant ${absentId}`],
    [['invite', tenantId, 'nobody', '--role', 'king'], 'email must be an email address'],
    [['accept-invitation', absentId, absentId], `there is no tenant ${absentId}`],
    [['accept-invitation', tenantId, absentId], `there is no open invitation ${absentId}`],
    [['accept-invitation', tenantId, absentId, '--first-name', ''], 'first_name must be'],
  ];
  for (const [words, sentence] of refusals) {
    const { code, out, err } = await holdfast(context, ...words);
    assert.equal([code, out], [1, '']);
    assert.match(err, sentence);
    assert.is(err.trim().split('\n').length, 1, err);
  }
});

sdk.run();
