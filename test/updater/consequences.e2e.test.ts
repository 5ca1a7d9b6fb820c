import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemContext } from '#commands/systemContext.ts';
import { eraseTenant } from '#commands/tenant/delete.ts';
import { objectKeys } from '#src/accountUpdater/ids.ts';
import { until } from '#test/support/until.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { header } from '#test/updater/support/files.ts';
import {
  createCard,
  createJob,
  ended,
  resultOf,
  startUpdaterService,
  upload,
} from '#test/updater/support/service.ts';
import { startReceiver } from '#test/webhooks/support/receiver.ts';
import { createWebhook } from '#test/webhooks/support/webhooks.ts';

type Context = { service: VaultService };

const consequences = suite<Context>('what follows from jobs');

consequences.before(async (context) => {
  context.service = await startUpdaterService({ environment: { HOLDFAST_OUTBOUND_ALLOW: '127.0.0.1' } });
});
consequences.after(({ service }) => service.close());

consequences(
  'given webhooks, then they are told that jobs were created, completed and failed',
  async ({ service }) => {
    const receiver = await startReceiver();
    try {
      const kinds = ['created', 'completed', 'failed'].map((kind) => `account-updater.job.${kind}`);
      await createWebhook(service, receiver.url, kinds);
      const good = await createJob(service);
      assert.is(await upload(service, good, `${header}\n`), 200);
      await ended(service, good.id);
      const bad = await createJob(service);
      assert.is(await upload(service, bad, ''), 200);
      await until(() => receiver.received.length >= 4);
      const told = receiver
        .messages()
        .map(({ type, data }) => [type, data['job']?.['id'], data['job']?.['status']]);
      assert.equal(
        told.sort(),
        [
          [kinds[0], good.id, 'pending'],
          [kinds[0], bad.id, 'pending'],
          [kinds[1], good.id, 'completed'],
          [kinds[2], bad.id, 'failed'],
        ].sort(),
      );
    } finally {
      await receiver.close();
    }
  },
);

consequences(
  'given a list of merchants, then rows must name one of them, and any when it is gone',
  async ({ service }) => {
    const card = { number: '4111111111111111', expiration_month: 1, expiration_year: 2030 };
    const id = await createCard(service, card);
    const codes = async (): Promise<(string | undefined)[]> =>
      (
        await resultOf(
          service,
          ['1234', '5678', ''].map((merchant) => `${id},,,${merchant}`),
        )
      ).map((line) => line.split(',').at(-1));
    const set = (settings: object) =>
      service.call('PUT', '/tenants/self', { name: 'test', settings }, { key: service.keys.management });
    await set({ account_updater_merchants: '1234, 99' });
    assert.equal(await codes(), ['UPD_PAN', 'ERR_INVALID_CONFIG', 'ERR_INVALID_CONFIG']);
    await set({});
    assert.equal(await codes(), ['UPD_PAN', 'UPD_PAN', 'ERR_INVALID_CONFIG']);
  },
);

consequences('given a job that has ended, then only its result is left of it', async ({ service }) => {
  const { composition, tenantId } = service;
  const id = await createCard(service, {
    number: '4111111111111111',
    expiration_month: 1,
    expiration_year: 2030,
  });
  const job = await createJob(service);
  await upload(service, job, `${header}\n${id},,,1\n`);
  await ended(service, job.id);
  const { objects, pools } = composition;
  await until(async () => (await objects.head(objectKeys.request(tenantId, job.id))) === undefined);
  await until(async () => (await objects.head(objectKeys.part(tenantId, job.id, 0))) === undefined);
  assert.ok((await objects.head(objectKeys.result(tenantId, job.id))) !== undefined);
  const answers = async (): Promise<number> => {
    const { rows } = await pools.owner.query('select 1 from vault.payloads where stream like $1', [
      `account_updater_job-%${job.id}`,
    ]);
    return rows.length;
  };
  await until(async () => (await answers()) === 0);
});

consequences(
  'given a job, then nothing that stands in its events, or its files, is a card',
  async ({ service }) => {
    const { composition, tenantId } = service;
    const number = '4111111111111111';
    const id = await createCard(service, { number, expiration_month: 1, expiration_year: 2030 });
    const job = await createJob(service);
    await upload(service, job, `${header}\n${id},,,1\n${number},,,1\n`);
    await ended(service, job.id);
    const { rows } = await composition.pools.owner.query<{ data: unknown }>(
      `select data from event_log.events where stream like '%' || $1 || '%'`,
      [tenantId],
    );
    assert.ok(rows.length > 5);
    assert.not.match(JSON.stringify(rows), /4111111111111111|4166676667666746/);
  },
);

consequences(
  'given a tenant that is deleted, then its files are removed, and the receipt says so',
  async () => {
    const service = await startUpdaterService();
    try {
      const { composition, tenantId, keys } = service;
      const job = await createJob(service);
      await upload(service, job, `${header}\nnobody,,,1\n`);
      await ended(service, job.id);
      const waiting = await createJob(service);
      const key = objectKeys.result(tenantId, job.id);
      assert.ok((await composition.objects.head(key)) !== undefined);
      const reply = await service.call('DELETE', '/tenants/self', undefined, { key: keys.management });
      assert.is(reply.status, 204);
      assert.is(await composition.objects.head(key), undefined);
      const context = systemContext(tenantId, { type: 'operator', id: 'test' });
      assert.is((await eraseTenant(composition, context)).result.filesRemoved, true);
      assert.is(await upload(service, waiting, header), 409);
    } finally {
      await service.close();
    }
  },
);

consequences.run();
