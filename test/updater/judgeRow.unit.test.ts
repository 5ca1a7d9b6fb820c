import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeRow } from '#src/accountUpdater/judgeRow.ts';
import type { StoredCard, Verdict } from '#src/accountUpdater/judgeRow.ts';

const rows = suite('what is wrong with a row');

const visa: StoredCard = { number: '4242424242424242', expirationMonth: 12, expirationYear: 2030 };
const merchants = new Set(['1234']);

type Cells = { year?: string; month?: string; merchant?: string };

const judge = (
  { year = '', month = '', merchant = '1234' }: Cells,
  card: StoredCard | undefined = visa,
  list: ReadonlySet<string> | undefined = merchants,
): Verdict =>
  judgeRow(
    { number: 1, token: 't1', expirationYear: year, expirationMonth: month, merchantId: merchant },
    card,
    list,
  );

const codeOf = (verdict: Verdict): string => ('code' in verdict ? verdict.code : 'none');

const absent = (cells: Cells): Verdict =>
  judgeRow(
    {
      number: 1,
      token: 't1',
      expirationYear: cells.year ?? '',
      expirationMonth: '',
      merchantId: cells.merchant ?? '',
    },
    undefined,
    merchants,
  );

rows('given a row without fault, when it is judged, then networks are asked with what the token has', () => {
  assert.equal(judge({}), {
    inquiry: {
      network: 'visa',
      number: '4242424242424242',
      expiration: { month: 12, year: 2030 },
      merchantId: '1234',
    },
  });
});

rows('given an expiration in the row, when it is judged, then it comes before the one of the token', () => {
  const expirationOf = (cells: Cells, card: StoredCard): unknown => {
    const verdict = judge(cells, card);
    return 'inquiry' in verdict && verdict.inquiry.expiration;
  };
  const bare = { number: visa.number };
  assert.equal(expirationOf({ year: '31', month: '02' }, visa), { month: 2, year: 2031 });
  assert.equal(expirationOf({ year: '31', month: '02' }, bare), { month: 2, year: 2031 });
  assert.equal(expirationOf({ year: '31' }, visa), { month: 12, year: 2031 });
  assert.equal(expirationOf({ month: '01' }, visa), { month: 1, year: 2030 });
  assert.equal(expirationOf({ year: '20', month: '01' }, visa), { month: 1, year: 2020 });
});

rows('given several faults, when a row is judged, then the first in the order of checks counts', () => {
  const bad = { year: '2030', merchant: 'other' };
  const diners: StoredCard = { number: '36006666333344' };
  assert.is(codeOf(absent(bad)), 'ERR_INVALID_TOKEN');
  assert.is(codeOf(judge(bad, diners)), 'ERR_INVALID_CONFIG');
  assert.is(codeOf(judge({ year: '2030' }, diners)), 'ERR_INVALID_EXP_DATE');
  assert.is(codeOf(judge({ year: '30', month: '01' }, diners)), 'ERR_INVALID_PAN');
});

rows('given months and years that are none, when a row is judged, then its expiration is invalid', () => {
  const cells: Cells[] = [
    { month: '00' },
    { month: '13' },
    { month: '1' },
    { month: '012' },
    { month: 'ab' },
    { month: ' 1' },
    { month: '１２' },
    { year: '2030' },
    { year: '3' },
    { year: '-1' },
    { year: '=1' },
  ];
  for (const each of cells) assert.is(codeOf(judge(each)), 'ERR_INVALID_EXP_DATE', JSON.stringify(each));
  assert.is(codeOf(judge({}, { number: visa.number })), 'ERR_INVALID_EXP_DATE');
  assert.is(codeOf(judge({ year: '30' }, { number: visa.number })), 'ERR_INVALID_EXP_DATE');
});

rows('given a list of merchants or none, when a row is judged, then its merchant is on it, or is any', () => {
  const codeFor = (merchant: string, list: ReadonlySet<string> | undefined): string =>
    codeOf(
      judgeRow(
        { number: 1, token: 't1', expirationYear: '', expirationMonth: '', merchantId: merchant },
        visa,
        list,
      ),
    );
  assert.is(codeFor('1234', merchants), 'none');
  assert.is(codeFor('1235', merchants), 'ERR_INVALID_CONFIG');
  assert.is(codeFor('', merchants), 'ERR_INVALID_CONFIG');
  assert.is(codeFor('1235', undefined), 'none');
  assert.is(codeFor('', undefined), 'ERR_INVALID_CONFIG');
});

rows('given a number of no network, or none at all, when a row is judged, then its number is invalid', () => {
  for (const number of ['36006666333344', '4200000000000002', '3530111333300000', '']) {
    assert.is(codeOf(judge({}, { ...visa, number })), 'ERR_INVALID_PAN');
  }
});

rows.run();
