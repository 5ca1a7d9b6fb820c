import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { later } from '#test/orchestration/support/later.ts';
import {
  act,
  givenCard,
  givenConnection,
  historyOf,
  pay,
  read,
} from '#test/orchestration/support/payments.ts';
import type { Transaction } from '#test/orchestration/support/payments.ts';
import { until } from '#test/support/until.ts';
import { startVaultService } from '#test/support/vaultService.ts';
import type { VaultService } from '#test/support/vaultService.ts';

type Context = { service: VaultService; connection: string };

const approvals = suite<Context>('approvals by buyers, and what providers tell later');
const approvalAmount = 600_001;

approvals.before(async (context) => {
  context.service = await startVaultService();
  context.connection = await givenConnection(context.service);
});
approvals.after(({ service }) => service.close());

/** As a browser goes there: the service is not where it believes to be. */
async function visit(
  { url }: Pick<VaultService, 'url'>,
  address: string,
): Promise<{ status: number; html: string; headers: Headers }> {
  const { pathname, search } = new URL(address);
  const response = await fetch(`${url}${pathname}${search}`, { redirect: 'manual' });
  const next = response.headers.get('location');
  if (next !== null) return visit({ url }, next);
  return { status: response.status, html: await response.text(), headers: response.headers };
}

const unescaped = (text: string): string => text.replaceAll('&amp;', '&');
const formTarget = (html: string): string => unescaped(/action="([^"]+)"/.exec(html)?.[1] ?? '');

/** What the issuer said: nobody asks it before the buyer has approved. */
const issuerOf = ({ auth_response_code, scheme_transaction_id }: Transaction) => [
  auth_response_code,
  scheme_transaction_id,
];

async function asked({ service, connection }: Context, intent = 'authorize') {
  // Of its own: the code of one that was paid with is gone.
  const card = await givenCard(service);
  const made = await pay(service, { connection_id: connection, token: card, amount: approvalAmount, intent });
  assert.equal([made.status, made.intent_outcome], ['buyer_approval_pending', 'pending']);
  const window = Date.parse(made.approval_expires_at ?? '') - Date.now();
  assert.ok(window > 59 * 60_000 && window <= 60 * 60_000);
  const { html, headers } = await visit(service, made.payment_method.approval_url ?? '');
  assert.match(headers.get('content-type') ?? '', /^text\/html/);
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.not.match(html, /<script|style=|4111/);
  assert.equal(issuerOf(made), [null, null]);
  return { id: made.id, target: formTarget(html) };
}

approvals(
  'given a payment to be approved, when the buyer approves, then it succeeds as intended',
  async (context) => {
    const { service } = context;
    for (const [intent, status] of [
      ['authorize', 'authorization_succeeded'],
      ['capture', 'capture_succeeded'],
    ]) {
      const { id, target } = await asked(context, intent);
      const back = await visit(service, `${target}?result=approved`);
      assert.equal([back.status, /was approved/.test(back.html)], [200, true]);
      const after = await read(service, id);
      assert.equal(
        [after.status, after.payment_method.approval_url, after.approval_expires_at],
        [status, null, null],
      );
      assert.equal([after.auth_response_code, after.cvv_response_code], ['00', 'match']);
      assert.match(after.scheme_transaction_id ?? '', /^\d{15}$/);
      assert.equal(after['three_d_secure'], { version: '2.2.0', status: 'complete', method: 'challenge' });
      const history = await historyOf(service, id);
      // Whoever comes back twice changes nothing.
      await visit(service, `${target}?result=declined`);
      assert.equal(await historyOf(service, id), history);
    }
  },
);

approvals('given a payment to be approved, when the buyer refuses, then it is declined', async (context) => {
  for (const [result, code] of [
    ['declined', 'failed_buyer_approval'],
    ['cancelled', 'cancelled_buyer_approval'],
  ]) {
    const { id, target } = await asked(context);
    await visit(context.service, `${target}?result=${result}`);
    const after = await read(context.service, id);
    assert.equal(
      [after.status, after.error_code, after.intent_outcome],
      ['authorization_declined', code, 'failed'],
    );
    assert.equal(issuerOf(after), [null, null]);
  }
});

approvals(
  'given URLs that nobody was given, when they are visited, then nothing changes',
  async (context) => {
    const { service } = context;
    const { id, target } = await asked(context);
    const forged = target.replace(/[^/]+$/, 'A'.repeat(43));
    assert.is((await visit(service, `${forged}?result=approved`)).status, 404);
    assert.is((await visit(service, `${target.replace(service.tenantId, 'x')}?result=approved`)).status, 404);
    const page = '/orchestration/sandbox/approval?return_url=';
    assert.is((await visit(service, `http://x${page}https://evil.example/`)).status, 400);
    assert.is((await read(service, id)).status, 'buyer_approval_pending');
  },
);

approvals(
  'given a buyer who does not come, when an hour has passed, then the payment failed',
  async (context) => {
    const { service } = context;
    const { id, target } = await asked(context);
    await later(service, 60_000).reconcile();
    await later(service, 59 * 60_000).expire();
    assert.is((await read(service, id)).status, 'buyer_approval_pending');
    await later(service, 61 * 60_000).expire();
    const after = await read(service, id);
    assert.equal([after.status, after.error_code], ['authorization_failed', 'incomplete_buyer_approval']);
    await visit(service, `${target}?result=approved`);
    assert.is((await read(service, id)).status, 'authorization_failed');
  },
);

approvals(
  'given steps that the provider takes its time for, when it is asked later, then they have succeeded',
  async ({ service, connection }) => {
    const common = { connection_id: connection, token: await givenCard(service) };
    const charged = await pay(service, { ...common, amount: 600_002, intent: 'capture' });
    assert.equal([charged.status, charged.intent_outcome], ['capture_pending', 'pending']);
    const captured = await pay(service, { ...common, amount: 600_002 });
    assert.is((await act(service, captured.id, 'capture')).body.status, 'capture_pending');
    const voided = await pay(service, { ...common, amount: 600_003 });
    assert.is((await act(service, voided.id, 'void')).body.status, 'authorization_void_pending');
    const refunded = await pay(service, { ...common, amount: 600_005, intent: 'capture' });
    assert.is((await act(service, refunded.id, 'refunds')).body.status, 'processing');
    const lost = await pay(service, { ...common, token: await givenCard(service), amount: 600_004 });
    assert.is(lost.status, 'processing');
    const statuses = async () =>
      Promise.all(
        [charged, captured, voided, refunded, lost].map(async ({ id }) => (await read(service, id)).status),
      );
    await later(service, 20_000).reconcile();
    assert.equal((await statuses())[4], 'processing');
    await later(service, 60_000).reconcile();
    assert.equal(await statuses(), [
      'capture_succeeded',
      'capture_succeeded',
      'authorization_voided',
      'capture_succeeded',
      'authorization_succeeded',
    ]);
    assert.is((await read(service, refunded.id)).refunded_amount, 600_005);
    assert.is((await read(service, lost.id)).cvv_response_code, 'match');
  },
);

approvals(
  'given an authorization, when it succeeds, then the code is gone; not when it fails, nor where a tenant keeps codes',
  async ({ service, connection }) => {
    const codeOf = await codesOf(service);
    const failed = await givenCard(service);
    await pay(service, { connection_id: connection, token: failed, amount: 200_012 });
    for (const intent of ['authorize', 'capture']) {
      const card = await givenCard(service);
      assert.is(await codeOf(card), '123');
      await pay(service, { connection_id: connection, token: card, intent });
      await until(async () => (await codeOf(card)) === undefined);
      const again = await pay(service, { connection_id: connection, token: card });
      assert.is(again.cvv_response_code, 'not_provided');
    }
    assert.is(await codeOf(failed), '123');

    const keeping = await service.call(
      'PUT',
      '/tenants/self',
      { name: 'mine', settings: { remove_cvc_after_authorization: 'false' } },
      { key: service.keys.management },
    );
    assert.is(keeping.status, 200, JSON.stringify(keeping.body));
    const kept = await givenCard(service);
    await pay(service, { connection_id: connection, token: kept });
    // Payments are looked at in their order: when the code of a later one is gone, the earlier one was looked at.
    const other = await startVaultService();
    const removed = await givenCard(other);
    await pay(other, { connection_id: await givenConnection(other), token: removed });
    const otherCodeOf = await codesOf(other);
    await until(async () => (await otherCodeOf(removed)) === undefined);
    assert.is(await codeOf(kept), '123');
    await other.close();
  },
);

/** Reads security codes by a key to which everything is revealed. */
async function codesOf(service: VaultService): Promise<(token: string) => Promise<unknown>> {
  const key = await service.ruledKey({
    container: '/',
    transform: 'reveal',
    permissions: ['token:read'],
    description: 'x',
  });
  return async (token) => {
    const reply = await service.call<{ data: Record<string, unknown> }>(
      'GET',
      `/tokens/${token}`,
      undefined,
      { key },
    );
    return reply.body.data['cvc'];
  };
}

approvals.run();
