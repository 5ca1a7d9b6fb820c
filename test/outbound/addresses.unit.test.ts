import fastCheck from 'fast-check';
import ipaddr from 'ipaddr.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isPublic } from '#infra/outbound/publicAddress.ts';
import { parseAddress } from '#src/addresses.ts';

const test = suite('outbound: addresses');

/** IANA's registries of special-purpose addresses, and of what is given out; with metadata services and old forms. */
const forbidden = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...[
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
  ],
  ...['192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  ...['255.255.255.255/32', '168.63.129.16/32', '100.100.100.200/32', '169.254.169.254/32'],
  ...[
    '::/128',
    '::1/128',
    '::/96',
    '::ffff:0:0/96',
    '::ffff:0:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '100::/64',
  ],
  ...['2001::/23', '2001::/32', '2001:2::/48', '2001:3::/32', '2001:10::/28', '2001:20::/28', '2001:30::/28'],
  ...['2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20', '4000::/2', '5f00::/16', '8000::/1'],
  ...['fc00::/7', 'fd00:ec2::254/128', 'fe80::/10', 'fec0::/10', 'ff00::/8', '2606:4700::5efe:0:0/96'],
];

const open = [
  ...[
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
  ],
  ...[
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '192.169.0.0',
  ],
  ...[
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '168.63.129.15',
    '2606:4700::1',
    '2a00:1450::1',
    '2001:4860::8888',
  ],
];

const addressIn = (
  [network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number],
  filling: readonly number[],
): string => {
  const bytes = network.toByteArray().map((byte, index) => {
    const free = Math.min(8, Math.max(0, (index + 1) * 8 - bits));
    const mask = (1 << free) - 1;
    return (byte & ~mask) | ((filling[index] ?? 0) & mask);
  });
  return ipaddr.fromByteArray(bytes).toString();
};

const publicText = (text: string): boolean | undefined => {
  const address = parseAddress(text);
  return address === undefined ? undefined : isPublic(address);
};

test('given blocks that are not public, then no address in them is', () => {
  for (const block of forbidden) {
    const network = ipaddr.parseCIDR(block);
    for (const filling of [0, 0xff]) {
      const edge = addressIn(
        network,
        Array.from({ length: 16 }, () => filling),
      );
      assert.is(publicText(edge), false, `${edge} of ${block}`);
    }
    fastCheck.assert(
      fastCheck.property(fastCheck.array(fastCheck.nat(255), { minLength: 16, maxLength: 16 }), (filling) => {
        const address = addressIn(network, filling);
        return publicText(address) === false;
      }),
      { numRuns: 50 },
    );
  }
});

test('given addresses of the public internet, then they are, up to the last before a forbidden block', () => {
  for (const address of open) assert.is(publicText(address), true, address);
});

test('given spellings that resolvers do not use, then they are no addresses', () => {
  for (const text of [
    '127.1',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '8.8.8.08',
    '8.8.8.8/8',
    '8.8.8',
    '',
    'x',
  ]) {
    assert.is(publicText(text), undefined, text);
  }
  assert.is(publicText('2606:4700::1%eth0'), undefined);
});

test.run();
