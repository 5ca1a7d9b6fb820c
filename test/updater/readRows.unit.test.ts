import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { planChunks } from '#src/accountUpdater/chunks.ts';
import { readRows } from '#src/accountUpdater/readRows.ts';
import { UnusableFile } from '#src/accountUpdater/unusableFile.ts';
import { rejectionOf } from '#test/support/rejectionOf.ts';
import { cellsOf, header, inParts, rowsOf } from '#test/updater/support/files.ts';

const rows = suite('rows of a request file');

const cells = async (content: string | Uint8Array): Promise<string[][]> =>
  (await rowsOf(content)).map(cellsOf);

async function faultOf(content: string | Uint8Array, bytes?: number): Promise<string> {
  const error = await rejectionOf(planChunks(inParts(content, bytes)));
  assert.instance(error, UnusableFile, error.stack);
  return error.message;
}

rows(
  'given a plain file, when it is read, then rows have numbers and cells as they are written',
  async () => {
    assert.equal(await rowsOf(`${header}\nt1,30,02,m1\nt2,,,m2\n`), [
      { number: 1, token: 't1', expirationYear: '30', expirationMonth: '02', merchantId: 'm1' },
      { number: 2, token: 't2', expirationYear: '', expirationMonth: '', merchantId: 'm2' },
    ]);
  },
);

rows('given any way to write lines, when the file is read, then its rows are the same', async () => {
  const plain = [
    ['t1', '30', '02', 'm1'],
    ['t2', '', '', 'm2'],
    ['t3', '31', '12', ''],
  ];
  const lines = [header, 't1,30,02,m1', 't2,,,m2', 't3,31,12,'];
  for (const end of ['\n', '\r\n', '\r', '\n\n', '\r\n\r\n']) {
    assert.equal(await cells(lines.join(end)), plain, JSON.stringify(end));
    assert.equal(await cells(`${end}\ufeff`.replace(/[^\ufeff]/g, '') + lines.join(end) + end), plain);
  }
  const quoted = lines.map((line) =>
    line
      .split(',')
      .map((cell) => `"${cell}"`)
      .join(','),
  );
  assert.equal(await cells(quoted.join('\n')), plain);
});

rows(
  'given quotes, commas, line breaks and formulas in cells, when they are read, then they are text',
  async () => {
    const strange = `${header}\n"a,b","3\n0","c""d",=1+1\n"\r\n",é€𝄞,@x,-1\n`;
    assert.equal(await cells(strange), [
      ['a,b', '3\n0', 'c"d', '=1+1'],
      ['\r\n', 'é€𝄞', '@x', '-1'],
    ]);
  },
);

rows('given a header alone, when the file is read, then it has no rows', async () => {
  assert.equal(await planChunks(inParts(`${header}\r\n\r\n`)), {
    bytes: header.length + 4,
    rows: 0,
    chunkRows: 2000,
    chunkOffsets: [],
  });
});

rows('given a file that is unusable as a whole, when it is read, then one sentence says why', async () => {
  const missing = `The header row is missing: the first row must be '${header}'.`;
  const wrong = `The header row is wrong: it must be '${header}'.`;
  const expectations: [content: string | Uint8Array, sentence: string][] = [
    ['', 'The file is empty.'],
    ['\n\r\n\n', 'The file is empty.'],
    ['\ufeff', 'The file is empty.'],
    ['t1,30,02,m1\n', missing],
    ['\0\0\0\n', missing],
    ['token\nt1\n', wrong],
    [`${header},extra\nt1,30,02,m1,x\n`, wrong],
    ['token,expiration_month,expiration_year,merchant_id\n', wrong],
    [header.toUpperCase(), wrong],
    [header.replaceAll(',', ';'), missing],
    [`${header}\nt1,30,02,m1\nt2,30,02\n`, 'Row 2 has 3 columns instead of 4.'],
    [`${header}\nt1\n`, 'Row 1 has 1 column instead of 4.'],
    [`${header}\nt1,30,02,m1,\n`, 'Row 1 has 5 columns instead of 4.'],
    [`${header}\nt1,30,02,"m1\nt2,30,02,m2\n`, 'Row 1 has a quote that is not closed.'],
    [`${header}\nt1,30,02,m1\nt2,30,02,m"2\n`, 'Row 2 has a quote in the wrong place.'],
    [`${header}\nt1,30,02,"m"1\n`, 'Row 1 has a quote in the wrong place.'],
    [
      Buffer.concat([Buffer.from(`${header}\nt1,,,m`), Buffer.of(0xe9, 10)]),
      'The file is not encoded in UTF-8.',
    ],
    [
      Buffer.concat([Buffer.from(`${header}\nt1,,,m`), Buffer.of(0xe2, 0x82)]),
      'The file is not encoded in UTF-8.',
    ],
    [Buffer.from(`\ufeff${header}\n`, 'utf16le'), 'The file is not encoded in UTF-8.'],
    [Buffer.of(0x1f, 0x8b, 0x08, 0), 'The file is not encoded in UTF-8.'],
  ];
  for (const [content, sentence] of expectations) {
    for (const bytes of [1, 5, 65_536]) {
      assert.is(await faultOf(content, bytes), sentence, `${JSON.stringify(content.toString())} by ${bytes}`);
    }
  }
});

rows('given rows before one that cannot be read, when a file is read, then they come first', async () => {
  const numbers: number[] = [];
  const reading = async (): Promise<void> => {
    for await (const batch of readRows(inParts(`${header}\nt1,,,\nt2,,,\nt3,,,"\n`, 1))) {
      numbers.push(...batch.rows.map(({ number }) => number));
    }
  };
  assert.instance(await rejectionOf(reading()), UnusableFile);
  assert.equal(numbers, [1, 2]);
});

rows(
  'given a source that breaks off, when a file is read, then it is not the file that is blamed',
  async () => {
    async function* source(): AsyncGenerator<Uint8Array> {
      yield* inParts(`${header}\nt1,`);
      throw new Error('the storage is gone');
    }
    assert.is((await rejectionOf(planChunks(source()))).message, 'the storage is gone');
  },
);

rows('given a reader that stops early, when it does, then the source is closed', async () => {
  let closed = false;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield await Promise.resolve(Buffer.from(`${header}\n`));
    } finally {
      closed = true;
    }
  }
  for await (const batch of readRows(source())) if (batch.headerEnd > 0) break;
  assert.ok(closed);
});

rows.run();
