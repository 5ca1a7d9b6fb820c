import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { resultCodes } from '#domain/accountUpdater/resultCodes.ts';
import type { Row } from '#src/accountUpdater/readRows.ts';
import { countResults, resultHeader, resultRows } from '#src/accountUpdater/resultRows.ts';

const results = suite('rows of a result file');

const row = (token: string, expirationYear = '', expirationMonth = ''): Row => ({
  number: 17,
  token,
  expirationYear,
  expirationMonth,
  merchantId: '1234',
});

results('given outcomes, when they are written, then cells are in order, and unchanged rows left out', () => {
  const lines = resultRows([
    { row: row('t-1'), code: 'UPD_PAN', newToken: { id: 'n-1' } },
    {
      row: row('t-2', '23', '12'),
      code: 'UPD_EXP_DATE',
      newToken: { id: 'n-2', expiration: { month: 2, year: 2031 } },
    },
    { row: row('t-3', '30', '02'), code: undefined },
    { row: row('t-4'), code: 'UPD_BRAND_CONV' },
    { row: row('t-5', '30', '02'), code: 'WRN_CLOSED_ACCOUNT' },
    { row: row('t-6', '2030', '2'), code: 'ERR_INVALID_EXP_DATE' },
  ]);
  assert.equal(lines.split('\n'), [
    't-1,,,n-1,,,UPD_PAN',
    't-2,23,12,n-2,31,02,UPD_EXP_DATE',
    't-4,,,,,,UPD_BRAND_CONV',
    't-5,30,02,,,,WRN_CLOSED_ACCOUNT',
    't-6,,,,,,ERR_INVALID_EXP_DATE',
    '',
  ]);
  assert.is(
    resultHeader,
    'token,expiration_year,expiration_month,new_token,new_expiration_year,new_expiration_month,result_code\n',
  );
});

results('given nothing that has changed, when it is written, then there are no rows', () => {
  assert.is(resultRows([{ row: row('t-1'), code: undefined }]), '');
});

results('given what is no token, when it is written, then its row is named instead', () => {
  const strange = [
    '',
    'ab',
    '=1+1',
    '+49',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1',
    "'x-1",
    '"=1',
    'a\nb',
    'a\0b',
    'a;b=c',
    '4111111111111111',
    '4111-1111-1111-1111',
    'x'.repeat(401),
    '😀😀😀',
    '\u202Eabc',
  ];
  for (const token of strange) {
    const line = resultRows([{ row: row(token), code: 'ERR_INVALID_TOKEN' }]);
    assert.is(line, '(row 17),,,,,,ERR_INVALID_TOKEN\n', JSON.stringify(token));
  }
});

results('given ids that tokens can have, when they are written, then they are read as they were', () => {
  for (const token of [
    '26818785-547b-4b28-b0fa-531377e99f4e',
    'Jürgen (2)',
    'a,b',
    'a"b',
    '東京1',
    'a.b@c~d!',
  ]) {
    const line = resultRows([{ row: row(token), code: 'WRN_OPT_OUT', newToken: { id: token } }]);
    const [cells] = parse(line) as string[][];
    assert.equal([cells?.[0], cells?.[3]], [token, token]);
  }
});

results(
  'given any cells, when rows are written, then each is one line of seven cells without a formula',
  () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'=+-@,"\t\r\n a1') })),
        fc.string(),
        fc.string(),
        fc.constantFrom(...resultCodes),
        (token, year, month, code) => {
          const line = resultRows([{ row: row(token, year, month), code }]);
          const records = parse(line, { relax_column_count: true }) as string[][];
          assert.is(records.length, 1);
          assert.is(records[0]?.length, 7);
          for (const each of records[0] ?? []) assert.match(each, /^($|[\p{L}\p{N}_(])/u);
          assert.is(line.indexOf('\n'), line.length - 1);
        },
      ),
      { numRuns: 3000 },
    );
  },
);

results('given outcomes, when they are counted, then unchanged rows are none', () => {
  const outcomes = ['UPD_PAN', undefined, 'UPD_PAN', 'ERR_INVALID_TOKEN'] as const;
  assert.equal(countResults(outcomes.map((code) => ({ row: row('t-1'), code }))), {
    UPD_PAN: 2,
    ERR_INVALID_TOKEN: 1,
  });
});

results.run();
