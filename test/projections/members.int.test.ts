import { suite } from 'uvu';
import type { JsonObject } from '#ports/json.ts';
import { membersProjection } from '#projections/members.ts';
import { recordedEvent, specification } from '#test/support/projection.ts';

const view = suite('view of members');

const event = (type: string, data: JsonObject) => recordedEvent({ type, data });
const id = (n: number): string => `8f6e2f0c-5d0a-4a5e-9d5c-1d1f3f6f100${n}`;
const at = new Date('2030-01-02T03:04:05.678Z');

const invited = event('tenant.invitation.created', {
  id: id(1),
  role: 'ADMIN',
  payload_id: id(2),
  expires_at: '2030-01-09T03:04:05.678Z',
});
const joined = event('tenant.member.created', {
  id: id(3),
  user_id: id(4),
  invitation_id: id(1),
  role: 'ADMIN',
  payload_id: id(5),
});
const { tenant_id, actor } = invited.metadata;
const invitation = {
  tenant_id,
  id: id(1),
  role: 'ADMIN',
  payload_id: id(2),
  expires_at: new Date('2030-01-09T03:04:05.678Z'),
  created_by: actor.id,
  created_at: at,
  ordinal: invited.ordinal,
};
const member = {
  tenant_id,
  id: id(3),
  user_id: id(4),
  role: 'ADMIN',
  payload_id: id(5),
  created_by: actor.id,
  created_at: at,
  ordinal: joined.ordinal,
};
const later = '2030-02-01T00:00:00.000Z';

view(
  'given an invitation that was resent, when events are applied once or twice, then it expires later',
  () => {
    const events = [invited, event('tenant.invitation.resent', { id: id(1), expires_at: later })];
    for (const numberOfTimes of [1, 2]) {
      specification(membersProjection)
        .given(events)
        .when({ numberOfTimes })
        .then({
          tenant_invitations: [
            { ...invitation, expires_at: new Date(later), modified_by: actor.id, modified_at: at },
          ],
        });
    }
  },
);

view('given an invitation that was accepted, when events are applied, then only the member is there', () => {
  const events = [
    invited,
    joined,
    event('tenant.invitation.accepted', { id: id(1), payload_id: id(2), member_id: id(3) }),
  ];
  specification(membersProjection)
    .given(events)
    .when({ numberOfTimes: 2 })
    .then({ tenant_members: [member] });
});

view(
  'given a role that changed, when events are applied, then the member has it and says who changed it',
  () => {
    specification(membersProjection)
      .given([joined, event('tenant.member.updated', { id: id(3), role: 'OWNER' })])
      .when({ numberOfTimes: 2 })
      .then({ tenant_members: [{ ...member, role: 'OWNER', modified_by: actor.id, modified_at: at }] });
  },
);

view('given what was deleted, when events are applied, then nothing is left', () => {
  const events = [
    invited,
    joined,
    event('tenant.invitation.deleted', { id: id(1), payload_id: id(2) }),
    event('tenant.member.deleted', { id: id(3), payload_id: id(5) }),
    event('tenant.member.updated', { id: id(3), role: 'OWNER' }),
  ];
  specification(membersProjection).given(events).when({ numberOfTimes: 2 }).then({});
});

view.run();
