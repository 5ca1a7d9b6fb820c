import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readModules } from '#infra/sandbox/host/modules.ts';
import { openPack, packPath } from '#infra/sandbox/host/modules/pack.ts';
import type { Pack } from '#infra/sandbox/host/modules/pack.ts';
import { packages } from '#src/tenantCode/modules.ts';

const test = suite('packages: the file that they are in');

/** Whoever has none is told what to do. */
function pack(): Pack {
  const opened = openPack(packPath);
  assert.ok(opened, 'run `npm run packages`');
  return opened as Pack;
}

test('given every package of the list, when it is asked for, then the file has it', () => {
  const { entry } = pack();
  const names = [
    ...Object.keys(packages),
    'aws-sdk/clients/s3',
    'aws-sdk/global',
    'crypto-js/sha256',
    'csv-parse/sync',
  ];
  assert.equal(
    names.filter((name) => entry(name) === undefined),
    [],
  );
});

test('given a file of some 40 MB, when one small package is asked for, then no more is known than it requires', () => {
  const before = process.memoryUsage().arrayBuffers;
  const opened = pack();
  const id = opened.entry('uuid') ?? '';
  assert.match(opened.source(id), /exports\.v4|"v4"/);
  assert.is(opened.edge(id, './v4.js')?.endsWith('uuid/dist/v4.js'), true);
  assert.not(opened.has('packages/stripe/lib/stripe.js'));
  assert.ok(process.memoryUsage().arrayBuffers - before < 4_000_000);
});

test('given data that a package has beside its code, when it is asked for by its path, then its bytes are there', () => {
  const { file } = pack();
  assert.match(
    file('packages/pdfkit/js/data/Helvetica.afm')?.toString('latin1', 0, 30) ?? '',
    /^StartFontMetrics/,
  );
  assert.is(file('packages/../../../etc/passwd'), undefined);
});

test('given an install without the file, when code requires a package, then one sentence says what to run', () => {
  const { resolve } = readModules('/nowhere/modules.pack');
  assert.is(
    resolve('', 'stripe'),
    "!Cannot find module 'stripe': it is not installed here; whoever runs this service has to run `npm run packages`",
  );
  assert.match(resolve('', 'lodash'), /^!Cannot find module 'lodash': code may require/);
  assert.is(resolve('', 'crypto'), 'holdfast:modules/crypto');
});

test.run();
