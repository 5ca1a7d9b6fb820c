import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { VaultService } from '#test/support/vaultService.ts';
import { header } from '#test/updater/support/files.ts';
import {
  createCard,
  createJob,
  download,
  ended,
  resultOf,
  startUpdaterService,
  upload,
} from '#test/updater/support/service.ts';

type Context = { service: VaultService; card: string; undated: string };

const bad = suite<Context>('bad input of jobs');

bad.before(async (context) => {
  context.service = await startUpdaterService();
  const number = '4111111111111111';
  context.card = await createCard(context.service, { number, expiration_month: 12, expiration_year: 2024 });
  context.undated = await createCard(context.service, { number });
});
bad.after(({ service }) => service.close());

/** The code of each row; '' for one that is left out. */
async function codesOf(service: VaultService, rows: readonly string[]): Promise<(string | undefined)[]> {
  return (await resultOf(service, rows)).map((line) => line.split(',').at(-1));
}

async function faultOf(service: VaultService, content: string | Uint8Array): Promise<string> {
  const job = await createJob(service);
  assert.is(await upload(service, job, content), 200);
  const { status, errors = [] } = await ended(service, job.id);
  assert.equal([status, errors.length], ['failed', 1]);
  return errors[0] ?? '';
}

bad(
  'given tokens that are none of the tenant, no cards, deleted or nonsense, then they are invalid',
  async (context) => {
    const { service } = context;
    const { private: key } = await service.anotherTenant();
    const foreign = await createCard(service, { number: '4111111111111111' }, {}, key);
    const plain = await service.call<{ id: string }>('POST', '/tokens', { type: 'token', data: 'x' });
    const deleted = await createCard(service, { number: '4111111111111111' });
    await service.call('DELETE', `/tokens/${deleted}`);
    const tokens = [foreign, plain.body.id, deleted, 'nobody', '', '\0', '4111111111111111', '\u{1f600}'];
    const codes = await codesOf(
      service,
      tokens.map((token) => `${token},30,01,1`),
    );
    assert.equal(
      codes,
      tokens.map(() => 'ERR_INVALID_TOKEN'),
    );
  },
);

bad(
  'given rows with several things wrong, then the first in the order of the reference is told',
  async ({ service, card }) => {
    const rows = ['nobody,99,99,', `${card},99,99,`, `${card},99,99,1`];
    assert.equal(await codesOf(service, rows), [
      'ERR_INVALID_TOKEN',
      'ERR_INVALID_CONFIG',
      'ERR_INVALID_EXP_DATE',
    ]);
  },
);

bad('given a card of no known network, then its number is invalid', async ({ service }) => {
  const jcb = await createCard(service, {
    number: '3530111333300000',
    expiration_month: 1,
    expiration_year: 2030,
  });
  assert.equal(await codesOf(service, [`${jcb},,,1`]), ['ERR_INVALID_PAN']);
});

bad(
  'given cells that spreadsheets run, and numbers of cards, then none of them comes back',
  async ({ service }) => {
    const cells = ['=1+1', '+1', '-1', '@SUM(A1)', '"=cmd|""/c calc"""', '\t=1', '4111111111111111'];
    const lines = await resultOf(
      service,
      cells.map((cell) => `${cell},=1,=2,=3`),
    );
    assert.equal(
      lines,
      cells.map((_, index) => `(row ${index + 1}),,,,,,ERR_INVALID_TOKEN`),
    );
  },
);

bad(
  'given cells of megabytes, then each row has its code, and the others are done',
  async ({ service, card }) => {
    const long = 'x'.repeat(5_000_000);
    const rows = [
      `${long},,,1`,
      `"${long},",,,1`,
      `${card},${long},,1`,
      `${card},,"${long}\n",1`,
      `${card},,,${long}`,
      `${card},,,1`,
    ];
    assert.equal(await codesOf(service, rows), [
      'ERR_INVALID_TOKEN',
      'ERR_INVALID_TOKEN',
      'ERR_INVALID_EXP_DATE',
      'ERR_INVALID_EXP_DATE',
      'ERR_INVALID_CONFIG',
      'UPD_PAN',
    ]);
  },
);

bad(
  'given a byte order mark, CRLF, quotes, line breaks in quotes and empty lines, then rows are read',
  async ({ service, card }) => {
    const job = await createJob(service);
    const file = `\u{feff}${header}\r\n\r\n"${card}","","","1"\r\n"no\r\nbody",,,1\r\n`;
    assert.is(await upload(service, job, file), 200);
    const lines = (await download(service, await ended(service, job.id))).split('\n');
    assert.equal(
      lines.slice(1, -1).map((line) => line.split(',').at(-1)),
      ['UPD_PAN', 'ERR_INVALID_TOKEN'],
    );
    assert.match(lines[2] ?? '', /^\(row 2\),/);
  },
);

bad('given files that are unusable, then each fails with one sentence', async ({ service }) => {
  const files: [string, RegExp][] = [
    ['', /empty/],
    [`${header}\nnobody,,,1\n"nobody,,,1\n`, /Row 2 .*quote/],
  ];
  for (const [content, sentence] of files) assert.match(await faultOf(service, content), sentence);
});

bad(
  'given an unusable file whose beginning is fine, then nothing was done about its beginning',
  async ({ service, card }) => {
    const count = async (): Promise<unknown> =>
      (await service.call<{ pagination: object }>('GET', '/tokens')).body.pagination;
    const before = await count();
    await faultOf(service, `${header}\n${`${card},,,1\n`.repeat(3_000)}x\n`);
    assert.equal(await count(), before);
  },
);

bad('given tens of thousands of rows of garbage, then each has its code', async ({ service }) => {
  const rows = Array.from({ length: 40_000 }, (_, index) => `g${index},,,`);
  const lines = await resultOf(service, rows);
  assert.is(lines.length, rows.length);
  assert.is(lines.at(-1), 'g39999,,,,,,ERR_INVALID_TOKEN');
});

bad.run();
