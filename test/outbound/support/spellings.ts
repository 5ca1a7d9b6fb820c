/** Four octets as inet_aton reads them: one to four parts, each decimal, octal or hexadecimal. */
export function spellingsOf(octets: readonly [number, number, number, number]): string[] {
  const [a, b, c, d] = octets;
  const parts = [
    [a, b, c, d],
    [a, b, c * 256 + d],
    [a, (b * 256 + c) * 256 + d],
    [((a * 256 + b) * 256 + c) * 256 + d],
  ];
  return parts.flatMap((numbers) => combinations(numbers.map(writings))).map((each) => each.join('.'));
}

function writings(number: number): string[] {
  return [number.toString(), `0${number.toString(8)}`, `0x${number.toString(16)}`];
}

function combinations(choices: readonly string[][]): string[][] {
  return choices.reduce<string[][]>(
    (sofar, next) => sofar.flatMap((begun) => next.map((one) => [...begun, one])),
    [[]],
  );
}

/** Hosts that some program takes for an address of this machine or its network. */
export const oddHosts = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'ｌｏｃａｌｈｏｓｔ', 'loc\u00adalhost'],
  ...['127.0.0.1.', '127.1.', '0x7f000001.', '127.127.127.127', '127.255.255.254', '127.0.1.1'],
  ...['0', '0.0.0.0', '0.1', '00', '0x0', '0x', '0.0.0.0.', '000.000.000.000', '0.255.255.255'],
  ...['0X7F.1', '0X7f.0X0.0X0.0X1', '00177.0.0.1', '0000000177.1', '0x000000000000007f.1', '127.0.0.0x1'],
  ...[
    '１２７.0.0.1',
    '１２７．０．０．１',
    '127。0。0。1',
    '127｡1',
    '①②⑦.⓪.⓪.①',
    '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
    '⑫⑦.0.0.1',
    '0ｘ7f.1',
  ],
  ...['%31%32%37.0.0.1', '127%2e0%2e0%2e1', '127.0.0.%31', '%30x7f.1', '%6cocalhost', '127.0.0.1%00', '%31'],
  ...['256.0.0.1', '127.0.0.256', '4294967296', '0x100000000', '1.2.3.4.5', '127.0.0.08', '127..1', '.127.1'],
  ...['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::0.0.0.1]', '[::127.0.0.1]', '[::7f00:1]'],
  ...[
    '[::ffff:127.0.0.1]',
    '[::FFFF:7F00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::ffff:8.8.8.8]',
    '[::ffff:0:0]',
  ],
  ...[
    '[::ffff:0:127.0.0.1]',
    '[::ffff:0:8.8.8.8]',
    '[::8.8.8.8]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::808:808]',
  ],
  ...[
    '[64:ff9b:1::a00:1]',
    '[2002:7f00:1::]',
    '[2002:808:808::1]',
    '[2001::1]',
    '[2001:0:808:808::f7f7:f7f7]',
  ],
  ...[
    '[fe80::1]',
    '[fe80::1%25eth0]',
    '[fe80::1%eth0]',
    '[febf::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
  ],
  ...[
    '[ff02::1]',
    '[ff0e::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
  ],
  ...[
    '[5f00::1]',
    '[4000::1]',
    '[2606:4700::5efe:7f00:1]',
    '[2606:4700::200:5efe:a00:1]',
    '[::1',
    '::1',
    '[::1].',
    '[1]',
  ],
  ...[
    '[0:0:0:0:0:0:7f00:1]',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::a9fe:a9fe]',
    '[v1.::1]',
  ],
  ...['169.254.169.254', '169.254.170.2', '169.254.0.1', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
  ...[
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '100.127.255.255',
  ],
  ...['192.0.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.255', '192.88.99.1'],
  ...[
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
  ],
  ...[
    'user@127.0.0.1',
    'user:password@8.8.8.8',
    '@8.8.8.8',
    '8.8.8.8@127.0.0.1',
    '8.8.8.8\\@127.0.0.1',
    ':@8.8.8.8',
  ],
  ...[
    '8.8.8.8 ',
    ' 8.8.8.8',
    '8.8.8.8\t',
    '127.0.0.1\n',
    '8.8.8.8\\',
    '/127.0.0.1',
    '\\127.0.0.1',
    '127.0.0.1\u0000',
  ],
  ...[
    'shop.example,127.0.0.1',
    'shop.example;a',
    'shop.example..',
    'shop..example',
    "shop'.example",
    '*.example',
    '!',
  ],
];

/** URLs that hide their host, or go elsewhere than to a host. */
export const oddUrls = (port: number): string[] => [
  `https:127.0.0.1:${port}/`,
  `https:/127.0.0.1:${port}/`,
  `https:///127.0.0.1:${port}/`,
  `https:\\\\127.0.0.1:${port}/`,
  `https:/\\127.0.0.1:${port}/`,
  ` https://8.8.8.8:${port}/`,
  `\thttps://8.8.8.8:${port}/`,
  `ht\ntps://8.8.8.8:${port}/`,
  `https://8.8.8.8:${port}/\r\nHost: internal`,
  `https://8.8.8.8:${port}/ HTTP/1.1`,
  `https://8.8.8.8:${port}/\u0000`,
  `https://8.8.8.8:0/`,
  `https://8.8.8.8:65536/`,
  `https://8.8.8.8:${port}x/`,
  `//127.0.0.1:${port}/`,
  `/admin`,
  `127.0.0.1:${port}`,
  '',
  'https://',
  'https://:443/',
  'https://?',
  'https://#',
  `http://8.8.8.8:${port}/`,
  `HTTP://8.8.8.8:${port}/`,
  `ftp://127.0.0.1:${port}/`,
  `gopher://127.0.0.1:${port}/_`,
  `ws://127.0.0.1:${port}/`,
  `wss://127.0.0.1:${port}/`,
  `unix:///var/run/docker.sock`,
  `http+unix://%2fvar%2frun%2fdocker.sock/`,
  `file:///etc/passwd`,
  'data:text/plain,hello',
  'javascript:0',
  `blob:https://127.0.0.1:${port}/0`,
  `jar:https://127.0.0.1:${port}!/`,
  `view-source:https://127.0.0.1:${port}/`,
];
