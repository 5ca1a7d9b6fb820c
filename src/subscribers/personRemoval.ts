import type { InvitationEvent } from '#domain/invitation/events.ts';
import type { MemberEvent } from '#domain/member/events.ts';
import type { Subscriber } from '#ports/subscriber.ts';
import type { Vault } from '#ports/vault.ts';
import { removal } from '#subscribers/removal.ts';

const ending = ['tenant.invitation.accepted', 'tenant.invitation.deleted', 'tenant.member.deleted'] as const;

type Ending = Extract<InvitationEvent | MemberEvent, { type: (typeof ending)[number] }>;

/** Removes from the vault who somebody was that is neither invited nor a member any more. */
export const personRemoval = (vault: Vault): Subscriber =>
  removal<Ending>(vault, { name: 'person_removal', types: ending }, (event) => event.data.payload_id);
