import Type from 'typebox';
import type { Static } from 'typebox';
import type { DomainEvent } from '#domain/event.ts';

const category = 'invitation-';

export const invitationStream = (tenantId: string, id: string): string => `${category}${tenantId}.${id}`;

export const isInvitationStream = (stream: string): boolean => stream.startsWith(category);

export const InvitationCreated = Type.Object({
  id: Type.String(),
  role: Type.String(),
  /** Where the vault keeps the email address. Never the address itself. */
  payload_id: Type.String(),
  /** ISO 8601, UTC. */
  expires_at: Type.String(),
});
export const InvitationResent = Type.Object({ id: Type.String(), expires_at: Type.String() });
export const InvitationAccepted = Type.Object({
  id: Type.String(),
  payload_id: Type.String(),
  member_id: Type.String(),
});
export const InvitationDeleted = Type.Object({ id: Type.String(), payload_id: Type.String() });

export type InvitationEvent =
  | DomainEvent<'tenant.invitation.created', Static<typeof InvitationCreated>>
  | DomainEvent<'tenant.invitation.resent', Static<typeof InvitationResent>>
  | DomainEvent<'tenant.invitation.accepted', Static<typeof InvitationAccepted>>
  | DomainEvent<'tenant.invitation.deleted', Static<typeof InvitationDeleted>>;
