import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tokenTypeNamed } from '#domain/token/types/index.ts';
import { applyMask, renderText } from '#expressions/index.ts';
import type { TokenType } from '#domain/token/types/tokenType.ts';

const typeNamed = (name: string): TokenType => {
  const type = tokenTypeNamed(name);
  if (type === undefined) throw new Error(`no type ${name}`);
  return type;
};
const card = typeNamed('card');
const bank = typeNamed('bank');

const faultsOf = (type: TokenType, data: unknown): string[] => {
  const checked = type.check(data);
  return checked.valid ? [] : Object.keys(checked.faults);
};

const types = suite('token types');

for (const number of [
  '4242424242424242',
  '378282246310005',
  '36227206271667',
  '620000000000000',
  '5105105105105100',
]) {
  types(`given the card number ${number}, when it is checked, then it passes`, () => {
    assert.equal(faultsOf(card, { number }), []);
  });
}

for (let ending = 2; ending <= 17; ending++) {
  const number = `42000000000000${String(ending).padStart(2, '0')}`;
  types(`given the 3-D Secure test number ${number}, when it is checked, then it passes without Luhn`, () => {
    assert.equal(faultsOf(card, { number }), []);
  });
}

const wrongCards: [string, unknown, string[]][] = [
  ['no object', '4242424242424242', ['']],
  ['no number', {}, ['number']],
  ['separators', { number: '4242-4242-4242-4242' }, ['number']],
  ['a wrong check digit', { number: '4242424242424241' }, ['number']],
  ['twelve digits', { number: '424242424242' }, ['number']],
  ['a number as a number', { number: 4242424242424242 }, ['number']],
  ['month 13', { number: '4242424242424242', expiration_month: 13 }, ['expiration_month']],
  ['a fraction of a year', { number: '4242424242424242', expiration_year: 2030.5 }, ['expiration_year']],
  ['a year of two digits', { number: '4242424242424242', expiration_year: 30 }, ['expiration_year']],
  ['a code of five digits', { number: '4242424242424242', cvc: '12345' }, ['cvc']],
  ['several faults', { number: '1', expiration_month: 0, cvc: 'abc' }, ['number', 'expiration_month', 'cvc']],
];
for (const [what, data, paths] of wrongCards) {
  types(`given a card with ${what}, when it is checked, then each fault is named`, () => {
    assert.equal(faultsOf(card, data), paths);
  });
}

types('given a card as clients send it, when it is checked, then it takes its stored form', () => {
  const data = {
    number: '4242424242424242',
    expiration_month: '04',
    expiration_year: '2030',
    cvc: 123,
    note: 'x',
  };
  assert.equal(card.check(data), {
    valid: true,
    data: { number: '4242424242424242', expiration_month: 4, expiration_year: 2030, cvc: '123', note: 'x' },
  });
});

for (const routing of ['021000021', '110000000']) {
  types(`given the routing number ${routing}, when it is checked, then it passes`, () => {
    assert.equal(faultsOf(bank, { routing_number: routing, account_number: '00001' }), []);
  });
}

const wrongBanks: [string, unknown, string[]][] = [
  ['no object', [], ['']],
  ['a wrong check digit', { routing_number: '021000022', account_number: '1' }, ['routing_number']],
  ['eight digits', { routing_number: '02100002', account_number: '1' }, ['routing_number']],
  ['eighteen digits', { routing_number: '021000021', account_number: '1'.repeat(18) }, ['account_number']],
  ['nothing', {}, ['routing_number', 'account_number']],
];
for (const [what, data, paths] of wrongBanks) {
  types(`given a bank account with ${what}, when it is checked, then each fault is named`, () => {
    assert.equal(faultsOf(bank, data), paths);
  });
}

const digits: [string, string, string, string, string][] = [
  ['card_number', '/pci/high/', '4242424242424242', 'XXXXXXXXXXXX4242', '4242424242424241'],
  ['card_number', '/pci/high/', '36227206271667', 'XXXXXXXXXX1667', '3622-7206-2716-67'],
  ['us_bank_account_number', '/bank/high/', '1234567890', 'XXXXXX7890', '12'],
  ['us_bank_routing_number', '/bank/low/', '021000021', 'XXXXX0021', '021000022'],
  ['social_security_number', '/pii/high/', '123-45-6789', 'XXX-XX-6789', '123-456-789'],
  ['social_security_number', '/pii/high/', '123456789', 'XXXXX6789', '12345678'],
  ['employer_id_number', '/pii/high/', '12-3456789', 'XX-XXX6789', '1-23456789'],
];
for (const [name, container, data, masked, wrong] of digits) {
  types(
    `given ${name} data ${data}, when it is checked and masked, then it is ${masked} in ${container}`,
    () => {
      const type = typeNamed(name);
      assert.equal(faultsOf(type, data), []);
      assert.is(type.defaultContainer, container);
      assert.is(applyMask(type.defaultMask as string, data), masked);
      assert.equal(faultsOf(type, wrong), ['']);
      assert.equal(faultsOf(type, 123456789), ['']);
    },
  );
}

for (const name of ['social_security_number', 'employer_id_number']) {
  types(
    `given a ${name} with and without dashes, when fingerprint and indexes are rendered, then they agree`,
    () => {
      const type = typeNamed(name);
      const dashed = name === 'employer_id_number' ? '12-3456789' : '123-45-6789';
      const render = (expression: string, data: string) => renderText(expression, { data });
      assert.is(render(type.defaultFingerprintExpression, dashed), '123456789');
      assert.equal(
        type.defaultSearchIndexes.map((expression) => render(expression, dashed)),
        [dashed, '123456789', '6789'],
      );
    },
  );
}

types('given an account number of a wrong length, when it is checked, then the message is one', () => {
  const type = typeNamed('us_bank_account_number');
  for (const data of ['12', '1'.repeat(18), '12-34', 1234]) {
    assert.equal(type.check(data), {
      valid: false,
      faults: { '': ['must be a string of three to seventeen digits'] },
    });
  }
  for (const data of ['123', '1'.repeat(17)]) assert.equal(faultsOf(type, data), []);
});

types.run();
