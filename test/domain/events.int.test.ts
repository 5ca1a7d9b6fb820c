import { readFileSync, readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import Value from 'typebox/value';
import { eventCatalog, newestVersion, upcast } from '#domain/catalog.ts';
import { jobFold } from '#domain/accountUpdater/state.ts';
import { applicationFold } from '#domain/application/state.ts';
import { foldStream } from '#domain/fold.ts';
import { invitationFold } from '#domain/invitation/state.ts';
import { invocationFold } from '#domain/invocation/state.ts';
import { memberFold } from '#domain/member/state.ts';
import { proxyFold } from '#domain/proxy/state.ts';
import { reactorFold } from '#domain/reactor/state.ts';
import { tenantFold } from '#domain/tenant/state.ts';
import { connectionFold } from '#domain/connection/state.ts';
import { threeDsSessionFold } from '#domain/threeDs/state.ts';
import { holdsCardNumber } from '#domain/token/cardNumber.ts';
import { tokenFold } from '#domain/token/state.ts';
import { transactionFold } from '#domain/transaction/evolve.ts';

type Fixture = { type: string; data: object; metadata: { schema_version: number } };

const folder = new URL('../fixtures/events/', import.meta.url);
const fixtures = readdirSync(folder).map((file) => ({
  file,
  event: JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Fixture,
}));

const events = suite('recorded events');

for (const { file, event } of fixtures) {
  events(`given ${file} as it was once written, when it is read today, then it has today's shape`, () => {
    assert.is(file, `${event.type}.v${event.metadata.schema_version}.json`);
    const today = upcast(event);
    assert.is(today.metadata.schema_version, newestVersion(event.type));
    const schema = eventCatalog[event.type]?.schema;
    assert.ok(schema !== undefined && Value.Check(schema, today.data), JSON.stringify(today.data));
  });
}

events(
  'given every type and version that may lie in a log, when the fixtures are counted, then none is missing',
  () => {
    const wanted = Object.entries(eventCatalog).flatMap(([type, { upcasters }]) =>
      Array.from({ length: upcasters.length + 1 }, (_, index) => `${type}.v${index + 1}.json`),
    );
    assert.equal(fixtures.map(({ file }) => file).sort(), wanted.sort());
  },
);

const named = (...types: string[]) =>
  types.map((type) =>
    upcast(fixtures.find(({ event }) => event.type === type)?.event ?? (assert.unreachable(type) as never)),
  );

events(
  'given the fixtures of a token in order, when they are folded, then the token has lived and is gone',
  () => {
    const updated = foldStream(tokenFold, named('token.created', 'token.updated'));
    assert.is(updated.status === 'live' && updated.containers[0], '/pci/low/');
    assert.is(foldStream(tokenFold, named('token.created', 'token.expired')).status, 'gone');
    assert.is(foldStream(tokenFold, named('token.created', 'token.deleted')).status, 'gone');
    const application = foldStream(applicationFold, named('application.created', 'application.key.created'));
    assert.is(application.status === 'live' && application.keys.length, 1);
    assert.is(
      foldStream(applicationFold, named('application.created', 'application.updated', 'application.deleted'))
        .status,
      'gone',
    );
    assert.is(foldStream(tenantFold, named('tenant.created')).status, 'live');
  },
);

events(
  'given the fixtures of an invitation and its member in order, when they are folded, then both have lived and are gone',
  () => {
    const invited = ['tenant.invitation.created', 'tenant.invitation.resent'];
    const open = foldStream(invitationFold, named(...invited));
    assert.is(open.status === 'open' && open.expiresAt, '2026-12-05T08:30:00.000Z');
    assert.is(foldStream(invitationFold, named(...invited, 'tenant.invitation.accepted')).status, 'accepted');
    assert.is(foldStream(invitationFold, named(...invited, 'tenant.invitation.deleted')).status, 'deleted');
    const joined = ['tenant.member.created', 'tenant.member.updated'];
    const member = foldStream(memberFold, named(...joined));
    assert.is(member.status === 'live' && member.role, 'OWNER');
    assert.is(foldStream(memberFold, named(...joined, 'tenant.member.deleted')).status, 'gone');
  },
);

events(
  'given the fixtures of a proxy in order, when they are folded, then the proxy has lived and is gone',
  () => {
    const changed = ['proxy.created', 'proxy.updated'];
    const proxy = foldStream(proxyFold, named(...changed));
    assert.equal(proxy.status === 'live' && [proxy.name, proxy.requireAuth, proxy.requestTransform], [
      'To another',
      true,
      { reactorId: '3b241101-e2bb-4255-8caf-4136c566a962' },
    ]);
    assert.is(foldStream(proxyFold, named(...changed, 'proxy.deleted')).status, 'gone');
  },
);

events(
  'given the fixtures of a reactor in order, when they are folded, then the reactor has lived and is gone',
  () => {
    const changed = ['reactor.created', 'reactor.updated'];
    const reactor = foldStream(reactorFold, named(...changed));
    assert.equal(reactor.status === 'live' && [reactor.name, reactor.applicationId], [
      'Charge any card',
      undefined,
    ]);
    assert.is(foldStream(reactorFold, named(...changed, 'reactor.deleted')).status, 'gone');
  },
);

events(
  'given the fixtures of an invocation in order, when they are folded, then it has ended and its callback, too',
  () => {
    const asked = ['reactor.invoked', 'reactor.started'];
    assert.is(foldStream(invocationFold, named('reactor.invoked')).status, 'pending');
    assert.is(foldStream(invocationFold, named(...asked)).status, 'running');
    const delivered = foldStream(
      invocationFold,
      named(...asked, 'reactor.completed', 'reactor.callback.deferred', 'reactor.callback.delivered'),
    );
    assert.equal(delivered.status === 'completed' && delivered.callback, {
      status: 'delivered',
      payloadId: '886313e1-3b8a-5372-9b90-0c9aee199e5d',
      attempts: 2,
      nextAt: undefined,
    });
    const failed = foldStream(invocationFold, named(...asked, 'reactor.failed', 'reactor.callback.failed'));
    assert.equal(
      [failed.status, failed.status === 'failed' && failed.callback?.status],
      ['failed', 'failed'],
    );
  },
);

events(
  'given the fixtures of payments in order, when they are folded, then each has come to where they lead',
  () => {
    const connection = foldStream(connectionFold, named('connection.created', 'connection.available'));
    assert.is(connection.status === 'live' && connection.availability, 'available');
    const all = (...names: string[]) => named(...names.map((name) => `transaction.${name}`));
    const approved = [
      'created',
      'authorization_requested',
      'buyer_approval_pending',
      'authorization_succeeded',
    ];
    const captured = [...approved, 'capture_requested', 'capture_pending', 'capture_succeeded'];
    const refunded = [...captured, 'refund_requested', 'refund_pending', 'refund_succeeded'];
    const paid = foldStream(transactionFold, all(...refunded));
    assert.equal(
      paid.status !== 'absent' && [
        paid.status,
        paid.authorizedAmount,
        paid.capturedAmount,
        paid.refundedAmount,
      ],
      ['capture_succeeded', 1299, 1000, 500],
    );
    const voided = [...approved, 'void_requested', 'authorization_void_pending', 'authorization_voided'];
    assert.is(foldStream(transactionFold, all(...voided)).status, 'authorization_voided');
    const session = ['created', 'authenticated', 'challenge-completed'].map((name) => `3ds.session.${name}`);
    assert.is(foldStream(threeDsSessionFold, named(...session)).status, 'completed');
  },
);

events(
  'given all fixtures of payments, when their digits are looked at, then none passes for a card number',
  () => {
    for (const { file, event } of fixtures) {
      if (!/^(connection|transaction|3ds)/.test(file)) continue;
      for (const text of JSON.stringify(event.data).match(/"[^"]*"/g) ?? []) {
        const isId = /^"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"$/.test(text);
        assert.ok(isId || !holdsCardNumber(text), `${file}: ${text}`);
      }
    }
  },
);

events(
  'given the fixtures of an account updater job in order, when they are folded, then it has ended',
  () => {
    const job = (...types: string[]) =>
      foldStream(jobFold, named(...types.map((type) => `account-updater.job.${type}`)));
    const begun = ['created', 'uploaded', 'started', 'chunk.answered'];
    assert.is(job('created').status, 'pending');
    assert.is(job('created', 'expired').status, 'expired');
    assert.is(job('created', 'uploaded', 'failed').status, 'failed');
    const working = job(...begun, 'chunk.completed');
    assert.equal(working.status === 'processing' && working.work?.chunks.map(({ status }) => status), [
      'completed',
      'open',
    ]);
    const completed = job(...begun, 'chunk.completed', 'completed');
    assert.is(completed.status === 'completed' && completed.results['UPD_PAN'], 12);
  },
);

events('given an event of a type that nobody knows, when it is read, then it passes as it is', () => {
  const strange = { type: 'strange.happened', data: { a: 1 }, metadata: { schema_version: 7 } };
  assert.equal(upcast(strange), strange);
});

events.run();
