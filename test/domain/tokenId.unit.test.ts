import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { containerFault, normalizeContainer } from '#domain/container.ts';
import { tokenIdFault } from '#domain/token/id.ts';

const ids = suite('token ids and containers');

for (const id of [
  'abc',
  'john doe@example.com',
  'a.b-c_d:e',
  '123456789012',
  '7f3b2c1d-0000-4000-8000-424242424242',
  'x'.repeat(400),
]) {
  ids(`given the id '${id.slice(0, 40)}', when it is checked, then it passes`, () => {
    assert.is(tokenIdFault(id), undefined);
  });
}

for (const character of '#/\\+?[]|&=%<>{}^') {
  ids(`given an id with '${character}', when it is checked, then the character is named`, () => {
    assert.is(tokenIdFault(`abc${character}def`), `must not contain '${character}'`);
  });
}

for (const id of [
  'ab',
  'x'.repeat(401),
  'card 4242424242424242',
  '4242-4242-4242-4242',
  '4242.4242.4242.4242',
  '4242_4242_4242_4242',
  '42424242:42424242',
  '4242 4242-4242.4242',
  '2024-4242424242424242',
  '12:4242.4242.4242.4242',
  'a\u0001b',
]) {
  ids(`given the id '${id.slice(0, 40)}', when it is checked, then it is refused`, () => {
    assert.type(tokenIdFault(id), 'string');
  });
}

for (const [what, start] of [
  ['milliseconds', 'order-179524640406'],
  ['microseconds', '179524640406012'],
  ['nanoseconds', '179524640406000000'],
  ['seconds', '2030123123595'],
  ['a date and time', '2030-12-31 23:59:58.12'],
  ['zeros', '000000000000000'],
  ['thirteen digits', '555555555555'],
] as const) {
  ids(`given an id of ${what}, whatever its last digit, when it is checked, then it passes`, () => {
    for (let digit = 0; digit < 10; digit += 1) assert.is(tokenIdFault(`${start}${digit}`), undefined);
  });
}

for (const number of [
  '4222222222222',
  '36227206271667',
  '620000000000000',
  '122000000000003',
  '378282246310005',
  '2223003122003222',
  '2200000000000004',
  '3056930009020004',
  '3566002020360505',
  '4242424242424242',
  '4000056655665556',
  '5105105105105100',
  '5555555555554444',
  '6011000990139424',
  '6235000000000004',
  '6516497200000000',
  '8600000000000007',
  '9792000000000003',
  '6759649826438453',
]) {
  ids(`given an id with the card number ${number}, when it is checked, then it is refused`, () => {
    assert.is(tokenIdFault(`card ${number}`), 'must not contain a card number');
  });
}

ids('given an id that holds the account number, when it is checked, then it is refused', () => {
  assert.is(tokenIdFault('account 0001234', ['0001234']), 'must not contain the data of the token');
});

for (const [id, secret] of [
  ['9876 54321', '987654321'],
  ['9876x543 21', '987654321'],
  ['123.45.6780', '123-45-6780'],
  ['12345', '12345'],
] as const) {
  ids(`given the secret ${secret}, when the id '${id}' is checked, then it is refused`, () => {
    assert.is(tokenIdFault(id, [secret]), 'must not contain the data of the token');
  });
}

for (const [id, secret] of [
  ['1-2-3-4-5', '12345'],
  ['abc 123', '123'],
  ['9876 5432', '987654321'],
] as const) {
  ids(`given the secret ${secret}, when the id '${id}' is checked, then it passes`, () => {
    assert.is(tokenIdFault(id, [secret]), undefined);
  });
}

for (const container of ['/', '/pci/', '/pci/high/', '/a-b_c/1/']) {
  ids(`given the container '${container}', when it is checked, then it passes`, () => {
    assert.is(containerFault(container), undefined);
  });
}
for (const container of ['', 'pci', '/pci', 'pci/', '//', '/a//b/', '/a b/', '/ä/', `/${'a'.repeat(200)}/`]) {
  ids(`given the container '${container.slice(0, 20)}', when it is checked, then it is refused`, () => {
    assert.type(containerFault(container), 'string');
  });
}
ids('given a container of 200 characters, when it is checked, then it passes, and of 201 is refused', () => {
  assert.is(containerFault(`/${'a'.repeat(198)}/`), undefined);
  assert.type(containerFault(`/${'a'.repeat(199)}/`), 'string');
});
ids('given a container in capitals, when it is normalised, then it is in lower case', () => {
  assert.is(normalizeContainer('/PCI/High/'), '/pci/high/');
});

ids.run();
