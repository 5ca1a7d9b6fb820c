import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clearTextFault } from '#domain/clearText.ts';

const clearText = suite('what is kept in clear');

const number = '4165330609013663';
const account = '999888777666';
const reversed = (text: string): string => [...text].reverse().join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const refused: [string, string, string[]][] = [
  ['a card number', number, []],
  ['a card number in text', `order of ${number}.`, []],
  ['a card number with separators', '4165-3306-0901-3663', []],
  ['a card number reversed', reversed(number), []],
  ['a card number in base64', base64(number), []],
  ['a card number in base64 in text', `x.${base64(`card=${number}`)}`, []],
  ['a card number in a container', `/${number}/`, []],
  ['a card number in an expression', `{{ '${number}' }}`, []],
  ['an account number', `to ${account}`, [account]],
  ['an account number with separators', '999-888-777-666', [account]],
  ['an account number reversed', reversed(account), [account]],
  ['an account number in base64', base64(account), [account]],
];
for (const [what, text, secrets] of refused) {
  clearText(`given ${what}, then it is refused, and not repeated`, () => {
    const fault = clearTextFault(text, secrets) ?? '';
    assert.match(fault, /^must not hold/);
    assert.not.ok(fault.includes(text));
  });
}

const taken: [string, string, string[]][] = [
  ['words', 'Drive a car', ['12345']],
  ['a uuid', '41653306-0901-4663-8000-416533060901', []],
  ['a telephone number', '+49 151 1234 5678 12', []],
  ['times', '1795356686379 1795356686379263 1795356686379263154 2026-11-22 21:22:25.123', []],
  ['a hexadecimal digest', '567943d6903b4d3680f25656a11aaf51', []],
  ['a short secret', 'room 12345', ['12345']],
  ['another number', `to ${account}`, ['111222333444']],
  ['a number with a wrong check digit', '4165330609013664', []],
  ['an expression', '{{ data.number | slice: 0, 6 }}', [number]],
];
for (const [what, text, secrets] of taken) {
  clearText(`given ${what}, then it is taken`, () => {
    assert.is(clearTextFault(text, secrets), undefined);
  });
}

clearText.run();
