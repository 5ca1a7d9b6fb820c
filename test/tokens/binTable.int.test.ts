import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readBinTable } from '#infra/binTable/readBinTable.ts';

const binTable = suite('table of BINs');

binTable('given the seven test BINs, when they are looked up, then each has its brand', async () => {
  const table = await readBinTable();
  const brands = [
    '4101720000000003',
    '5333650000000009',
    '373194999999998',
    '6516497200000000',
    '3648700000000007',
    '3528000000000007',
    '6235000000000004',
  ].map((number) => table.find(number)?.['card_brand']);
  assert.equal(brands, ['VISA', 'MASTERCARD', 'AMEX', 'DISCOVER', 'DINERS CLUB', 'JCB', 'UNIONPAY']);
  assert.is(table.find('4242424242424242'), undefined);
});

binTable(
  "given a table of one's own, then the longest BIN counts; given a bad one, then it is named",
  async () => {
    const directory = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
    const path = join(directory, 'bins.csv');
    await writeFile(path, 'bin,card_brand,bank_name\n424242,VISA,"Bank, Inc."\n42424242,OTHER,\n');
    const table = await readBinTable(path);
    assert.equal(table.find('4242424242424242'), { card_brand: 'OTHER' });
    assert.equal(table.find('4242420000000000'), { card_brand: 'VISA', bank: { name: 'Bank, Inc.' } });
    const sentenceOf = (run: Promise<unknown>): Promise<string> =>
      run.then(
        () => 'read',
        (error: Error) => error.message,
      );
    await writeFile(path, 'bin,card_brand\n424242,VISA\n42x,VISA\n');
    assert.match(await sentenceOf(readBinTable(path)), "row 3: bin is '42x'");
    await writeFile(path, 'bin,card_brand\n"424242,VISA\n');
    assert.match(await sentenceOf(readBinTable(path)), 'cannot be read');
    assert.match(await sentenceOf(readBinTable(join(directory, 'missing.csv'))), 'cannot be read');
    await rm(directory, { recursive: true });
  },
);

binTable.run();
