import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseJson } from '#http/request/parseJson.ts';
import { ValidationFailed } from '#src/errors.ts';

const numbers = suite('http: numbers that a double carries');

const message = 'must be a number that a double carries exactly: send it as a string';

const read = (text: string): unknown => parseJson(Buffer.from(text));

function faultsOf(text: string): object {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ValidationFailed) return { ...error.faults };
    throw error;
  }
  return {};
}

numbers('given numbers that a double carries, when they are read, then they are taken', () => {
  for (const text of [
    '0',
    '-0',
    '1.0',
    '1e3',
    '0.1',
    '100.00000000000000000000',
    '0.00000000000000000000',
    '0e-99999',
    '9007199254740991',
    '9007199254740992',
    '-9007199254740994',
    '12345678901234567000',
    '1000000000000000000000000',
    '0.30000000000000004',
    '1.7976931348623157e308',
    '2.2250738585072014E-308',
    '5e-324',
    '123456789012345e-320',
    '12345.6789012345e+0000000000000001',
  ]) {
    assert.is(read(text), JSON.parse(text), text);
    assert.equal(read(`{"a": [ ${text} ]}`), JSON.parse(`{"a": [ ${text} ]}`), text);
  }
});

numbers('given numbers that a double changes, when they are read, then 400 names each', () => {
  for (const text of [
    '12345678901234567890',
    '-12345678901234567890',
    '9007199254740993',
    '0.1234567890123456789',
    '3.141592653589793238',
    '1e-400',
    '-1.5E-324',
    '1.00000000000000000001',
    `1${'0'.repeat(200_000)}1e-200000`,
  ]) {
    assert.equal(faultsOf(text), { body: [message] }, text);
    assert.equal(faultsOf(`{"a":[1,{"b c":\n\t${text}}],"d":${text} }`), {
      'a[1].b c': [message],
      d: [message],
    });
  }
});

numbers('given long digits in texts, when they are read, then they are no numbers', () => {
  const text =
    '{"number":"4242424242424242","a":"x: 12345678901234567890, [12345678901234567890","12345678901234567890":0.5,' +
    '"__proto__":{"b":[9007199254740993.0e0]}}';
  assert.equal(faultsOf(text), { '__proto__.b[0]': [message] });
  const exact = text.replace('9007199254740993.0e0', '9007199254740992');
  assert.is(JSON.stringify(read(exact)), exact);
});

numbers.run();
