import { BasisTheory } from '@basis-theory/node-sdk';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clientOf } from '#test/sdk/support/node.ts';
import type { Context } from '#test/sdk/support/node.ts';
import { failureOf } from '#test/sdk/support/failure.ts';
import { absentId, methodsOf } from '#test/sdk/support/operations.ts';
import { serve } from '#test/sdk/support/served.ts';
import { here } from '#test/updater/support/service.ts';
import { until } from '#test/support/until.ts';

const sdk = suite<Context>('node-sdk, account updater');

sdk.before(async (context) => {
  Object.assign(context, await serve());
  context.vault = clientOf(context.service.credentials.private, context.service);
});
sdk.after(({ stop }) => stop());

/** This version of the library looks for other names than the published ones, and passes these on as they are. */
const membersOf = (job: object): Record<string, string | undefined> => ({ ...job });

sdk('given the library, then every operation of the account updater is tried', ({ vault }) => {
  assert.equal(methodsOf(vault.accountUpdater.jobs), ['create', 'get', 'list']);
  assert.equal(methodsOf(vault.accountUpdater.realTime), ['invoke']);
});

sdk(
  'given a job, when it is created, listed and got, then each call answers as the library expects',
  async ({ vault, service }) => {
    const { jobs } = vault.accountUpdater;
    const created = await jobs.create();
    assert.is(created.status, 'pending');
    const { created_at, expires_at, upload_url } = membersOf(created);
    assert.is(Date.parse(expires_at ?? '') - Date.parse(created_at ?? ''), 3_600_000);
    await jobs.create();
    const first = await jobs.list({ size: 1 });
    assert.is(first.pagination.pageSize, 1);
    const rest = await jobs.list({ start: first.pagination.next ?? '' });
    assert.equal(
      rest.data.map(({ id }) => id),
      [created.id],
    );
    const put = await fetch(here(service, upload_url), { method: 'PUT', body: '' });
    assert.is(put.status, 200);
    const ended = await until(async () => {
      const job = await jobs.get(created.id);
      return job.status === 'failed' && job;
    });
    assert.equal(ended.errors, ['The file is empty.']);
    const failure = await failureOf(jobs.get(absentId));
    assert.ok(failure instanceof BasisTheory.NotFoundError);
  },
);

sdk(
  'given a replaced card, when it is updated at once, then the library has its new token',
  async ({ vault }) => {
    const data = { number: '4111111111111111', expiration_month: 12, expiration_year: 2024 };
    const { id = '' } = await vault.tokens.create({ type: 'card', data });
    const answer = await vault.accountUpdater.realTime.invoke({ tokenId: id });
    assert.is(answer.resultCode, 'UPD_PAN');
    assert.ok(answer.newToken?.createdAt instanceof Date);
    assert.not.equal(answer.newToken.id, id);
  },
);

sdk.run();
