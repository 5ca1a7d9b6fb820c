import Type from 'typebox';
import type { Static } from 'typebox';
import type { DomainEvent } from '#domain/event.ts';

export const memberStream = (tenantId: string, id: string): string => `member-${tenantId}.${id}`;

export const MemberCreated = Type.Object({
  id: Type.String(),
  user_id: Type.String(),
  /** The invitation that was accepted. */
  invitation_id: Type.String(),
  role: Type.String(),
  /** Where the vault keeps email address and names. Never those themselves. */
  payload_id: Type.String(),
});
export const MemberUpdated = Type.Object({ id: Type.String(), role: Type.String() });
export const MemberDeleted = Type.Object({ id: Type.String(), payload_id: Type.String() });

export type MemberEvent =
  | DomainEvent<'tenant.member.created', Static<typeof MemberCreated>>
  | DomainEvent<'tenant.member.updated', Static<typeof MemberUpdated>>
  | DomainEvent<'tenant.member.deleted', Static<typeof MemberDeleted>>;
