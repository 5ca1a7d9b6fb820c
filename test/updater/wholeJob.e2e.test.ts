import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testCards } from '#infra/networks/sandbox/testCards.ts';
import type { VaultService } from '#test/support/vaultService.ts';
import { header } from '#test/updater/support/files.ts';
import {
  createCard,
  createJob,
  download,
  ended,
  getJob,
  resultOf,
  startUpdaterService,
  upload,
} from '#test/updater/support/service.ts';

type Context = { service: VaultService; reveal: string };

const jobs = suite<Context>('jobs of the account updater');

jobs.before(async (context) => {
  context.service = await startUpdaterService();
  context.reveal = await context.service.ruledKey({
    description: 'all',
    container: '/',
    transform: 'reveal',
    permissions: ['token:read'],
  });
});
jobs.after(({ service }) => service.close());

type Token = {
  id: string;
  data: Record<string, unknown>;
  containers: string[];
  metadata?: object;
  mask?: object;
  fingerprint_expression: string;
  created_by?: string;
  search_indexes?: string[];
  expires_at?: string;
};

const tokenOf = async ({ service, reveal }: Context, id: string): Promise<Token> =>
  (await service.call<Token>('GET', `/tokens/${id}`, undefined, { key: reveal })).body;

jobs(
  'given every test card in one file, then each has its code, in the order of the file, and unchanged ones are left out',
  async ({ service }) => {
    const cards = [...testCards.keys(), '4711358892785746'];
    const ids = await Promise.all(
      cards.map((number) => createCard(service, { number, expiration_month: 12, expiration_year: 2023 })),
    );
    const lines = await resultOf(
      service,
      ids.map((id) => `${id},,,1234`),
    );
    const expected = cards.flatMap((number, index) => {
      const code = testCards.get(number)?.code;
      return code === undefined ? [] : [[ids[index], code]];
    });
    const cells = lines.map((line) => line.split(','));
    assert.equal(
      cells.map(([token, , , , , , code]) => [token, code]),
      expected,
    );
    for (const [, , , newToken, , , code] of cells) {
      assert.is(newToken !== '', ['UPD_PAN', 'UPD_EXP_DATE', 'UPD_CORRECTED'].includes(code ?? ''));
    }
  },
);

jobs(
  'given a replaced card, then its new token has all that the old one has but the number, and the old one stays',
  async (context) => {
    const { service } = context;
    const attributes = {
      containers: ['/pci/low/', '/customers/'],
      metadata: { customer: 'Ada' },
      mask: { number: '{{ data.number | last4 }}' },
      fingerprint_expression: '{{ data.number | last4 }}',
      search_indexes: ['{{ data.number | last4 }}'],
      expires_at: '2099-01-02T03:04:05+00:00',
    };
    const data = { number: '4111111111111111', expiration_month: 12, expiration_year: 2023, cvc: '123' };
    const id = await createCard(service, data, attributes);
    const before = await tokenOf(context, id);
    const [line = ''] = await resultOf(service, [`${id},,,1234`]);
    const newId = line.split(',')[3] ?? '';
    assert.is(line, `${id},,,${newId},,,UPD_PAN`);
    const renewed = await tokenOf(context, newId);
    assert.equal(renewed.data, {
      number: '4166676667666746',
      expiration_month: 12,
      expiration_year: 2023,
    });
    for (const name of Object.keys(attributes) as (keyof Token)[]) {
      assert.equal(renewed[name], before[name], name);
    }
    assert.is(renewed.created_by, before.created_by);
    assert.equal(await tokenOf(context, id), before);
  },
);

jobs('given a renewed card, then the result says its new expiration', async (context) => {
  const { service } = context;
  const id = await createCard(service, { number: '6011690151507086' });
  const [line = ''] = await resultOf(service, [`${id},23,12,1234`]);
  const newId = line.split(',')[3] ?? '';
  assert.is(line, `${id},23,12,${newId},26,12,UPD_EXP_DATE`);
  const { data } = await tokenOf(context, newId);
  assert.equal(data, { number: '6011690151507086', expiration_month: 12, expiration_year: 2026 });
});

jobs('given each state of a job, then it has the members that belong there', async ({ service }) => {
  const job = await createJob(service);
  const common = ['created_at', 'created_by', 'id', 'status', 'tenant_id'];
  const members = (of: object): string[] => Object.keys(of).sort();
  assert.equal(members(job), [...common, 'expires_at', 'upload_url'].sort());
  assert.is(job.status, 'pending');
  assert.equal(members(await getJob(service, job.id)), members(job));
  assert.is(await upload(service, job, `${header}\n`), 200);
  const end = await ended(service, job.id);
  assert.equal(members(end), [...common, 'download_url'].sort());
  assert.match(await download(service, end), /^token,[a-z_,]+,result_code\n$/);
  const other = await createJob(service);
  assert.is(await upload(service, other, 'token\n'), 200);
  const failed = await ended(service, other.id);
  assert.equal(members(failed), [...common, 'errors'].sort());
  assert.is(failed.errors?.length, 1);
});

jobs(
  'given a tenant without duplicates, then a card that is there already is brought up to date',
  async () => {
    const service = await startUpdaterService();
    try {
      await service.call(
        'PUT',
        '/tenants/self',
        { name: 'test', settings: { deduplicate_tokens: 'true' } },
        { key: service.keys.management },
      );
      const id = await createCard(service, {
        number: '6011690151507086',
        expiration_month: 1,
        expiration_year: 2024,
      });
      const twin = await createCard(service, {
        number: '4166676667666746',
        expiration_month: 1,
        expiration_year: 2020,
      });
      const old = await createCard(service, {
        number: '4111111111111111',
        expiration_month: 2,
        expiration_year: 2025,
      });
      const lines = await resultOf(service, [`${id},,,1`, `${old},,,1`]);
      assert.equal(lines, [`${id},,,${id},26,12,UPD_EXP_DATE`, `${old},,,${twin},,,UPD_PAN`]);
      const { body } = await service.call<{ data: object }>('GET', `/tokens/${twin}`);
      assert.equal(body.data, { number: 'XXXXXXXXXXXX6746', expiration_month: 2, expiration_year: 2025 });
    } finally {
      await service.close();
    }
  },
);

jobs.run();
