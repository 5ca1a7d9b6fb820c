import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseExpiry } from '#domain/token/expiry.ts';

const expiry = suite('token expiration');

const readable: [string, string][] = [
  ['8/26/2030 7:23:57 PM -07:00', '2030-08-26T19:23:57-07:00'],
  ['8/26/2030 7:23:57 PM', '2030-08-26T19:23:57+00:00'],
  ['8/26/2030 12:00:00 AM +05:30', '2030-08-26T00:00:00+05:30'],
  ['08/06/2030 12:30 pm', '2030-08-06T12:30:00+00:00'],
  ['9/27/2030', '2030-09-27T00:00:00+00:00'],
  ['2030-04-23T13:24:28Z', '2030-04-23T13:24:28+00:00'],
  ['2025-12-31T00:00:00+00:00', '2025-12-31T00:00:00+00:00'],
  ['2030-04-23T13:24:28.1234567+02:00', '2030-04-23T13:24:28.1234567+02:00'],
  ['2030-04-23', '2030-04-23T00:00:00+00:00'],
  ['2028-02-29', '2028-02-29T00:00:00+00:00'],
];
for (const [given, then] of readable) {
  expiry(`given '${given}', when it is read, then it means ${then}`, () => {
    assert.is(parseExpiry(given), then);
    assert.ok(Number.isFinite(Date.parse(then)));
  });
}

for (const given of [
  '',
  'tomorrow',
  '13/1/2030',
  '2/29/2030',
  '1/1/2030 13:00:00 PM',
  '1/1/2030 0:10:00 AM',
  '2030-04-31',
  '2030-01-01T24:00:00Z',
  '2030-01-01T00:00:00+15:00',
  '9/27/30',
]) {
  expiry(`given '${given}', when it is read, then it is no time`, () => {
    assert.is(parseExpiry(given), undefined);
  });
}

expiry.run();
