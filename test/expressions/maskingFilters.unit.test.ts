import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Json } from '#ports/json.ts';
import { checkVectors, failure } from '#test/expressions/support/render.ts';

const dashed = '3622-7206-2716-5567';
const masking = suite('masking filters');

masking('given reveal, when applied, then all but the named characters are masked', () => {
  checkVectors([
    [dashed, 'data | reveal: 6', '3622-7XXXXXXXXXXXXX'],
    [dashed, 'data | reveal: 7, 5', '3622-72XXXXXXX-5567'],
    [dashed, `data | reveal: 7, 4, '#', "-"`, '3622-72##-####-5567'],
    [dashed, 'data | reveal: 10, 9', 'XXXXXXXXXXXXXXXXXXX'],
    [dashed, 'data | reveal', 'XXXXXXXXXXXXXXXXXXX'],
    [dashed, 'data | reveal: 0, 4', 'XXXXXXXXXXXXXXX5567'],
    ['abc', 'data | reveal: 9', 'XXX'],
    ['abXX', 'data | reveal: 2', 'XXXX'],
    ['--', "data | reveal: 0, 0, 'X', '-'", 'XX'],
    ['😀é-x', "data | reveal: 1, 0, '•', '-'", '😀•-•'],
    [1234, 'data | reveal: 0, 2', 'XX34'],
    [1234, "data | reveal: '1'", '1XXX'],
    ['', 'data | reveal: 1', ''],
    [null, 'data | reveal: 1', null],
  ]);
});

masking('given reveal_last, when applied, then dashes stay and a short text is shown whole', () => {
  checkVectors([
    ['4242-4242-4242-4242', 'data | reveal_last: 4', 'XXXX-XXXX-XXXX-4242'],
    ['4242424242424242', 'data | reveal_last: 4', 'XXXXXXXXXXXX4242'],
    ['Sensitive Value', 'data | reveal_last: 4', 'XXXXXXXXXXXalue'],
    ['36227206271667', "data | reveal_last: 3, '#'", '###########667'],
    ['1234', 'data | reveal_last: 4', '1234'],
    ['12', 'data | reveal_last: 4', '12'],
    ['123', 'data | reveal_last: 0', 'XXX'],
    [null, 'data | reveal_last: 4', null],
  ]);
});

masking('given the default masks of all types, when applied, then they show what the reference shows', () => {
  checkVectors([
    ['4242424242424242', 'data | reveal_last: 4', 'XXXXXXXXXXXX4242'],
    ['36227206271667', 'data | reveal_last: 4', 'XXXXXXXXXX1667'],
    ['123456789', 'data | reveal_last: 4', 'XXXXX6789'],
    ['123-45-6789', 'data | reveal_last: 4', 'XXX-XX-6789'],
    ['12-3456789', 'data | reveal_last: 4', 'XX-XXX6789'],
    ['1234567890', 'data | reveal_last: 4', 'XXXXXX7890'],
  ]);
});

masking('given card_mask, when applied, then issuer and last digits can be shown', () => {
  checkVectors([
    [dashed, "data | card_mask: 'true', 'true', '#', '-'", '3622-7206-####-5567'],
    [dashed, "data | card_mask: 'false', 'false', 'X', '-'", 'XXXX-XXXX-XXXX-XXXX'],
    [dashed, 'data | card_mask', 'XXXXXXXXXXXXXXXXXXX'],
    ['4242424242424242', 'data | card_mask: true', '42424242XXXXXXXX'],
    ['378282246310005', 'data | card_mask: true, true', '378282XXXXX0005'],
    ['4242424242424242', 'data | card_mask: false, true', 'XXXXXXXXXXXX4242'],
    ['4242424242', 'data | card_mask: true, true', 'XXXXXXXXXX'],
    ['4-2', "data | card_mask: true, true, 'X', '-'", 'XXX'],
    [null, 'data | card_mask: true', null],
  ]);
});

masking('given card_bin, when applied, then it gives six digits, or eight of a long number', () => {
  checkVectors([
    ['4242424242424242', 'data | card_bin', '42424242'],
    ['378282246310005', 'data | card_bin', '378282'],
    [dashed, "data | card_bin: '-'", '36227206'],
    [dashed, 'data | card_bin', '36227206'],
    ['3622.7206.2716.67', "data | card_bin: '.'", '362272'],
    [null, 'data | card_bin', null],
  ]);
  failure('{{ data | card_bin }}', '424242');
  failure('{{ data | card_bin }}', 'not a card');
});

masking('given card_exp, when applied, then the format is filled in', () => {
  const card = { expiration_month: 10, expiration_year: 2028 };
  checkVectors([
    [card, "data | card_exp: 'MM'", '10'],
    [card, "data | card_exp: 'MMYY'", '1028'],
    [card, "data | card_exp: 'YYYY'", '2028'],
    [card, "data | card_exp: 'YYYY-MM'", '2028-10'],
    [card, "data | card_exp: 'YYYY/MM'", '2028/10'],
    [card, "data | card_exp: 'MM/YY'", '10/28'],
    [card, "data | card_exp: 'MM/YYYY'", '10/2028'],
    [card, "data | card_exp: 'MM_YYYY'", '10_2028'],
    [card, "data | card_exp: 'MM-YYYY'", '10-2028'],
    [{ expiration_month: 3, expiration_year: 28 }, "data | card_exp: 'MMYYYY'", '032028'],
    [{ expiration_month: '3', expiration_year: '2028' }, "data | card_exp: 'MM'", '03'],
    [null, "data | card_exp: 'MM'", null],
  ]);
  const others: Json[] = [
    '4242',
    {},
    { expiration_month: 13, expiration_year: 2028 },
    { expiration_month: 1 },
  ];
  for (const data of others) {
    failure("{{ data | card_exp: 'MM' }}", data);
  }
  for (const format of ['MMM', 'DD', 'month', '']) failure(`{{ data | card_exp: '${format}' }}`, card);
});

masking('given last4 and padding, when applied, then characters are counted', () => {
  checkVectors([
    ['4242424242424242', 'data | last4', '4242'],
    ['123-45-6789', 'data | last4', '6789'],
    ['42', 'data | last4', '42'],
    [null, 'data | last4', null],
    [3, "data | pad_left: 2, '0'", '03'],
    ['3', "data | pad_right: 3, '0'", '300'],
    ['1234', "data | pad_left: 2, '0'", '1234'],
    ['😀', "data | pad_left: 2, '0'", '0😀'],
    [null, "data | pad_left: 2, '0'", null],
    [null, "data | pad_right: 2, '0'", null],
  ]);
});

masking('given arguments that make no sense, when parsed, then they are refused', () => {
  const refused = [
    'reveal: -1',
    'reveal: 1.5',
    "reveal: 'many'",
    "reveal: 0, 4, ''",
    "reveal: 0, 4, 'XX'",
    'reveal_last: 99999999',
    "card_mask: 'yes'",
    "pad_left: 4, ''",
    "pad_left: 70000, '0'",
  ];
  for (const filter of refused) {
    assert.match(failure(`{{ data | ${filter} }}`, 'abc').message, /argument must be/);
  }
});

masking.run();
