import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { networkOf } from '#domain/accountUpdater/cardNetwork.ts';
import { passesLuhn } from '#domain/token/cardNumber.ts';

const networks = suite('network of a card');

/** A valid number of this length that begins so. */
function numberFrom(prefix: string, length: number): string {
  const body = prefix.padEnd(length - 1, '0');
  const digit = [...'0123456789'].find((each) => passesLuhn(body + each)) ?? '';
  return body + digit;
}

const expectations: [prefix: string, length: number, network: string | undefined][] = [
  ['4', 13, 'visa'],
  ['4', 16, 'visa'],
  ['4', 19, 'visa'],
  ['4', 15, undefined],
  ['51', 16, 'mastercard'],
  ['55', 16, 'mastercard'],
  ['2221', 16, 'mastercard'],
  ['2720', 16, 'mastercard'],
  ['2220', 16, undefined],
  ['2721', 16, undefined],
  ['56', 16, undefined],
  ['50', 16, undefined],
  ['34', 15, 'american_express'],
  ['37', 15, 'american_express'],
  ['35', 16, undefined],
  ['36', 14, undefined],
  ['6011', 16, 'discover'],
  ['644', 16, 'discover'],
  ['643', 16, undefined],
  ['65', 19, 'discover'],
  ['622126', 16, 'discover'],
  ['622925', 16, 'discover'],
  ['622125', 16, undefined],
  ['622926', 16, undefined],
  ['1220', 15, undefined],
  ['9', 16, undefined],
];

networks('given how a number begins and how long it is, then its network is known, or none is', () => {
  for (const [prefix, length, network] of expectations) {
    assert.is(networkOf(numberFrom(prefix, length)), network, `${prefix} of ${length}`);
  }
});

networks('given what is no valid number, then no network is asked', () => {
  for (const text of ['', '4111111111111112', '4200000000000002', ' 4111111111111111', '4111-1111', 'x']) {
    assert.is(networkOf(text), undefined, text);
  }
});

networks.run();
