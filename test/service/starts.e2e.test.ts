import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { directorySuite } from '#test/support/directorySuite.ts';
import { refusalOf } from '#test/support/refusalOf.ts';
import { cleanEnvironment, program, request, startService } from '#test/support/service.ts';

const starts = directorySuite('starts of the service');

starts(
  'given an empty directory, when it starts twice, then keys are shown once and stay the same',
  async ({ directory }) => {
    const first = await startService(directory);
    const file = join(directory, 'dev-credentials.json');
    assert.is((await stat(file)).mode & 0o777, 0o600);
    assert.equal(Object.keys(first.credentials).sort(), ['management', 'private', 'public', 'tenant_id']);
    assert.match(first.said(), first.credentials.private);
    assert.match(first.said(), 'curl ');
    assert.match(first.said(), '/openapi.json');
    for (const host of ['127.0.0.1', '[::1]']) {
      assert.is((await fetch(`http://${host}:${first.port}/readyz`)).status, 200);
    }
    assert.is(await first.end(), 0);
    const second = await startService(directory);
    assert.equal(second.credentials, first.credentials);
    assert.not.match(second.said(), first.credentials.private);
    const answer = await request(second, 'GET', '/applications/key', { key: first.credentials.management });
    assert.is(answer.status, 200);
    assert.is(await second.end(), 0);
  },
);

starts(
  'given a wrong setting, a file, or a newer directory, when it starts, then one sentence and exit code 1',
  async ({ directory }) => {
    const wrong = await refusalOf(startService(directory, { HOLDFAST_PROCESSES: 'many' }));
    assert.is(
      wrong.said,
      "holdfast: HOLDFAST_PROCESSES is 'many' and must be a whole number from 1 to 256.\n",
    );
    const file = join(directory, 'file');
    await writeFile(file, '');
    const isFile = await refusalOf(startService(file));
    assert.match(isFile.said, 'is a file');
    const newer = join(directory, 'newer');
    await mkdir(newer);
    await writeFile(join(newer, 'holdfast.json'), '{"format":99}');
    const refused = await refusalOf(startService(newer));
    assert.match(refused.said, 'newer');
    const address = await refusalOf(startService(directory, { HOST: '999.1.1.1' }));
    assert.match(
      address.said,
      /^holdfast: port 0 of 999\.1\.1\.1 cannot be listened on \([A-Z_]+\): [^\n]*\n$/m,
    );
    assert.is(address.code, 1);
    const table = await refusalOf(
      startService(directory, { HOLDFAST_BIN_TABLE: join(directory, 'none.csv') }),
    );
    assert.match(table.said, /^holdfast: the table of BINs .*none\.csv cannot be read: [^\n]*\n$/m);
    assert.is(table.code, 1);
    const unwritable = await refusalOf(startService('/proc/holdfast'));
    assert.match(unwritable.said, /^holdfast: the data directory \/proc\/holdfast cannot be made: [^\n]*\n$/);
    assert.equal([wrong.code, isFile.code, refused.code, unwritable.code], [1, 1, 1, 1]);
  },
);

starts(
  'given a start whose database is there and no more, when it is told to stop, then it ends as one that was told to',
  async ({ directory }) => {
    const child = spawn(process.execPath, [program, 'start'], {
      env: { ...cleanEnvironment(), PORT: '0', LOG_LEVEL: 'info', HOLDFAST_DATA_DIR: directory },
    });
    const closed = once(child, 'close');
    const said = { out: '', err: '' };
    child.stderr.on('data', (chunk: Buffer) => {
      said.err += chunk.toString();
    });
    child.stdout.on('data', (chunk: Buffer) => {
      said.out += chunk.toString();
      if (said.out.includes('PostgreSQL is ready')) child.kill('SIGTERM');
    });
    const [code] = (await closed) as [number | null];
    assert.is(said.err, '');
    assert.is(code, 0);
    assert.not.match(said.out, 'is ready on');
  },
);

starts.run();
