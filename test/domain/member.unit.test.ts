import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isRefusal } from '#domain/event.ts';
import type { Decision } from '#domain/event.ts';
import { createMember, deleteMember, retractMember, updateMember } from '#domain/member/decide.ts';
import { comparableEmailAddress, emailAddressFault } from '#domain/member/emailAddress.ts';
import type { MemberEvent } from '#domain/member/events.ts';
import { roleFault } from '#domain/member/role.ts';
import { evolveMember, initialMember } from '#domain/member/state.ts';
import type { MemberState } from '#domain/member/state.ts';

const metadata = {
  tenant_id: 'a1b2',
  actor: { type: 'operator', id: 'ada' },
  occurred_at: '2026-01-02T03:04:05.000Z',
} as const;

const after = (state: MemberState, decision: Decision<MemberEvent>): MemberState => {
  if (isRefusal(decision)) throw new Error(`refused: ${decision.refused}`);
  return decision.map((event) => ({ ...event, metadata }) as MemberEvent).reduce(evolveMember, state);
};

const given = { id: 'm1', userId: 'u1', invitationId: 'i1', role: 'ADMIN', payloadId: 'p2' };
const fresh = after(initialMember, createMember(initialMember, given));

const member = suite('member');

member('given nothing, when a member is made by an operator, then it lives and has no author', () => {
  assert.equal(fresh, {
    status: 'live',
    id: 'm1',
    tenantId: 'a1b2',
    userId: 'u1',
    role: 'ADMIN',
    payloadId: 'p2',
    createdBy: undefined,
    createdAt: metadata.occurred_at,
    modifiedBy: undefined,
    modifiedAt: undefined,
  });
});

member('given a member, when the role changes, then the rest stays', () => {
  const changed = after(fresh, updateMember(fresh, 'OWNER'));
  assert.equal(changed, { ...fresh, role: 'OWNER', modifiedAt: metadata.occurred_at });
});

member('given an owner, when it is to be removed, then that is refused until the role changes', () => {
  const owner = after(fresh, updateMember(fresh, 'OWNER'));
  const refusal = deleteMember(owner);
  assert.is(isRefusal(refusal) && refusal.refused, 'unprocessable');
  assert.equal(after(owner, deleteMember(after(owner, updateMember(owner, 'ADMIN')))), { status: 'gone' });
});

member('given a member of any role or none, when it is taken back, then there is none', () => {
  const owner = after(fresh, updateMember(fresh, 'OWNER'));
  assert.equal(after(owner, retractMember(owner)), { status: 'gone' });
  assert.equal(retractMember(initialMember), []);
});

member(
  'given a member that was removed, when anything is asked, then it is not found, and not made again',
  () => {
    const gone = after(fresh, deleteMember(fresh));
    assert.equal(updateMember(gone, 'ADMIN'), { refused: 'not_found' });
    assert.equal(deleteMember(gone), { refused: 'not_found' });
    const again = createMember(gone, given);
    assert.is(isRefusal(again) && again.refused, 'already_exists');
  },
);

const addresses = [
  'jane@example.com',
  "j.o'hara+vault@mail.example.co.uk",
  'józsef@könyv.example',
  `${'a'.repeat(64)}@example.com`,
  'x@a-b.cd',
];
const others = [
  '',
  'jane',
  '@example.com',
  'jane@',
  'jane@localhost',
  'jane@@example.com',
  'jane@example..com',
  'jane@.example.com',
  'jane@-example.com',
  'jane@example.com.',
  '.jane@example.com',
  'jane..doe@example.com',
  'jane doe@example.com',
  ' jane@example.com',
  'jane@example.com\n',
  'Jane <jane@example.com>',
  'jane@exam_ple.com',
  'jane\u0000@example.com',
  `${'a'.repeat(65)}@example.com`,
  `jane@${'a'.repeat(64)}.com`,
  `jane@${'a.'.repeat(130)}com`,
];

member('given texts, when they are checked, then those are addresses that mail could be sent to', () => {
  for (const text of addresses) assert.is(emailAddressFault(text), undefined, text);
  for (const text of others) assert.match(emailAddressFault(text) ?? '', 'an email address such as', text);
});

member(
  'given addresses that differ in case or in the form of a letter, then they are compared as equal',
  () => {
    assert.is(comparableEmailAddress('Jane@Example.COM'), 'jane@example.com');
    assert.is(comparableEmailAddress('jo\u0301zsef@a.hu'), comparableEmailAddress('J\u00f3zsef@a.hu'));
  },
);

member('given texts, when they are checked, then roles are capital letters', () => {
  for (const role of ['ADMIN', 'OWNER', 'READ_ONLY']) assert.is(roleFault(role), undefined);
  for (const role of ['', 'admin', 'A-B', '_A', 'ADMIN ', 'A'.repeat(51)]) {
    assert.match(roleFault(role) ?? '', 'ADMIN', role);
  }
});

member.run();
