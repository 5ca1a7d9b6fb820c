import * as assert from 'uvu/assert';
import { acceptInvitation } from '#commands/invitation/accept.ts';
import type { CommandDependencies } from '#commands/context.ts';
import { systemContext } from '#commands/systemContext.ts';
import type { LiveMember } from '#domain/member/state.ts';
import type { Reply, VaultService } from '#test/support/vaultService.ts';

export type Invitation = Record<string, string> & { id: string };
export type Member = Record<string, unknown> & { id: string; user: Record<string, string> };
export type List<Item> = { pagination: Record<string, number>; data: Item[] };
export type Problem = { detail?: string; errors?: Record<string, string[]> };

export const operator = { type: 'operator', id: 'test' } as const;

/** A request of a management application. */
export const manage = <Body = Record<string, never>>(
  service: Pick<VaultService, 'call' | 'keys'>,
  method: string,
  path: string,
  body?: unknown,
  key: string = service.keys.management,
): Promise<Reply<Body>> => service.call<Body>(method, `/tenants/self${path}`, body, { key });

/** Invites an address and expects that this succeeds. */
export async function invite(
  service: Pick<VaultService, 'call' | 'keys'>,
  email: string,
  role?: string,
): Promise<Invitation> {
  const reply = await manage<Invitation>(service, 'POST', '/invitations', { email, role });
  assert.is(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

/** Accepts an invitation as the command line does. */
export const accept = async (
  service: VaultService,
  id: string,
  names: { firstName?: string; lastName?: string } = {},
  dependencies: CommandDependencies = service.composition,
): Promise<LiveMember> => {
  const context = systemContext(service.tenantId, operator);
  const { firstName, lastName } = names;
  return (await acceptInvitation(dependencies, context, id, { firstName, lastName })).result;
};

/** The same service, as it was or will be some days away. */
export const daysFromNow = (service: VaultService, days: number): CommandDependencies => ({
  ...service.composition,
  clock: { now: () => new Date(Date.now() + days * 24 * 60 * 60_000) },
});
