import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { jobStream } from '#domain/accountUpdater/events.ts';
import { applicationStream } from '#domain/application/events.ts';
import { connectionStream } from '#domain/connection/events.ts';
import { invocationStream } from '#domain/invocation/events.ts';
import { memberStream } from '#domain/member/events.ts';
import { proxyStream } from '#domain/proxy/events.ts';
import { reactorStream } from '#domain/reactor/events.ts';
import { sessionStream } from '#domain/session/events.ts';
import { tenantStream } from '#domain/tenant/events.ts';
import { tokenStream } from '#domain/token/events.ts';
import { transactionStream } from '#domain/transaction/events.ts';
import { webhookRequestStream, webhookStream } from '#domain/webhook/events.ts';
import { streamCategories } from '#domain/streamCategories.ts';

const test = suite('categories of streams');

test('given every stream of the domain, then its category is known, and no other is', () => {
  const streams = [
    applicationStream,
    connectionStream,
    invocationStream,
    jobStream,
    memberStream,
    proxyStream,
    reactorStream,
    sessionStream,
    tenantStream,
    tokenStream,
    transactionStream,
    webhookStream,
    webhookRequestStream,
  ].map((stream) => stream('tenant', 'id'));
  assert.equal(streams.map((stream) => stream.slice(0, stream.indexOf('-'))).toSorted(), streamCategories);
});

test.run();
